import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Finds EAN-13 barcodes, and QR codes, in a picture. */
export interface BarcodeDecoder {
  /** The digits of the codes found, the text of a QR code. */
  decode(image: HTMLCanvasElement): Promise<readonly string[]>;
}

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'QRCode'],
  tryInvert: false,
  textMode: 'Plain',
  maxNumberOfSymbols: 4,
};

export async function openZxingDecoder(): Promise<BarcodeDecoder> {
  // By default the library fetches its binary from a public server.
  await prepareZXingModule({
    overrides: { locateFile: () => wasmUrl },
    fireImmediately: true,
  });
  return {
    async decode(image) {
      const pixels = image
        .getContext('2d', { willReadFrequently: true })
        ?.getImageData(0, 0, image.width, image.height);
      if (pixels === undefined) return [];
      const found = await readBarcodes(pixels, OPTIONS);
      return found.filter(({ isValid }) => isValid).map(({ text }) => text);
    },
  };
}
