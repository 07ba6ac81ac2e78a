// Takes the blanks off the beginning and the end of a text that comes in pieces: those around a
// thought belong to its tags, not to it.

export class EdgeTrimmer {
  readonly #keepsEnd: boolean;
  #begun = false;
  #blanks = "";

  constructor(keepsEnd: boolean) {
    this.#keepsEnd = keepsEnd;
  }

  push(text: string): string {
    const piece = this.#begun ? text : text.trimStart();
    if (piece === "") return "";
    this.#begun = true;
    if (this.#keepsEnd) return piece;
    const solid = piece.trimEnd();
    if (solid === "") {
      this.#blanks += piece;
      return "";
    }
    const out = this.#blanks + solid;
    this.#blanks = piece.slice(solid.length);
    return out;
  }
}
