/** Finds the EAN-13 codes in a picture, as digits. */
export interface Decodeur {
  lire(image: HTMLCanvasElement): Promise<readonly string[]>;
}
