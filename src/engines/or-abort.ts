// Waits for something that others wait for too: whoever goes away stops waiting, and the thing
// itself goes on.

export function orAbort<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
    const stay = (): void => signal.removeEventListener("abort", leave);
    awaited.then(resolve, reject).finally(stay);
  });
}
