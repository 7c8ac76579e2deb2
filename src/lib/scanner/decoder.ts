/** Finds EAN-13 barcodes, and QR codes, in a picture. */
export interface BarcodeDecoder {
  /** The digits of the codes found, the text of a QR code. */
  decode(image: HTMLCanvasElement): Promise<readonly string[]>;
}

/** No decoder can be had: it is not on this device yet, and there is no network. */
export class DecoderMissing extends Error {}
