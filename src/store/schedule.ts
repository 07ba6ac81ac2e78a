// How the store does something later. Passed in, so that tests decide when later is.

/** Runs the task once after the delay; the returned function takes it back. */
export type Schedule = (task: () => void, delayMs: number) => () => void;

/** A pending task never keeps the process alive: what it would do is done at the next start. */
export const scheduleWithTimer: Schedule = (task, delayMs) => {
  const timer = setTimeout(task, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
