// Plain ASCII, which most replies are, needs no conversion to UTF-8 on its way to the socket.

/** The cheapest encoding that writes the text as UTF-8; `bytes` is its length in that. */
export const encodingOf = (text: string, bytes: number): "latin1" | "utf8" =>
  bytes === text.length ? "latin1" : "utf8";
