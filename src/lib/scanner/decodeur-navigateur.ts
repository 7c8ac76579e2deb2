import type { Decodeur } from './decodeur.ts';

/** The Shape Detection API, which TypeScript's library does not declare: what is used of it. */
interface BarcodeDetectorApi {
  new (options: { formats: readonly string[] }): {
    detect(image: HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>;
  };
  getSupportedFormats(): Promise<readonly string[]>;
}

declare global {
  interface Window {
    BarcodeDetector?: BarcodeDetectorApi;
  }
}

const EAN13 = 'ean_13';

/** The browser's own reader, `null` where it has none or none for books. */
export async function decodeurDuNavigateur(): Promise<Decodeur | null> {
  const Detecteur = window.BarcodeDetector;
  if (Detecteur === undefined) return null;
  const formats = await Detecteur.getSupportedFormats();
  if (!formats.includes(EAN13)) return null;
  const detecteur = new Detecteur({ formats: [EAN13] });
  return {
    async lire(image) {
      const trouves = await detecteur.detect(image);
      return trouves.map(({ rawValue }) => rawValue);
    },
  };
}
