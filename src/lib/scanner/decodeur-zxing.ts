import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import adresseWasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { Decodeur } from './decodeur.ts';

const OPTIONS: ReaderOptions = {
  formats: ['EAN13'],
  tryInvert: false,
  textMode: 'Plain',
  maxNumberOfSymbols: 4,
};

/** The reader that the application brings along, from its own origin (docs/decisions). */
export async function ouvrirZxing(): Promise<Decodeur> {
  // Left to itself the library asks a public server for its binary.
  await prepareZXingModule({
    overrides: { locateFile: () => adresseWasm },
    fireImmediately: true,
  });
  return {
    async lire(image) {
      const pixels = image
        .getContext('2d', { willReadFrequently: true })
        ?.getImageData(0, 0, image.width, image.height);
      if (pixels === undefined) return [];
      const trouves = await readBarcodes(pixels, OPTIONS);
      return trouves.filter(({ isValid }) => isValid).map(({ text }) => text);
    },
  };
}
