import type { BarcodeDecoder } from './zxing-decoder.ts';

/** The decoder is not cached on this device, and there is no network. */
export class DecoderMissing extends Error {}

let opened: Promise<BarcodeDecoder> | null = null;

/**
 * The browser's decoder if it supports EAN-13, otherwise the application's, loaded on demand.
 *
 * @throws DecoderMissing; the next call tries again
 */
export function openDecoder(): Promise<BarcodeDecoder> {
  opened ??= chooseDecoder().catch((cause: unknown) => {
    opened = null;
    throw new DecoderMissing('No barcode decoder', { cause });
  });
  return opened;
}

async function chooseDecoder(): Promise<BarcodeDecoder> {
  const native = await openNativeDecoder();
  if (native !== null) return native;
  const { openZxingDecoder } = await import('./zxing-decoder.ts');
  return openZxingDecoder();
}

/** The used part of the Shape Detection API, which TypeScript's library does not declare. */
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
/** The format of a location's label. */
const QR_CODE = 'qr_code';

/** The browser's decoder; `null` if it does not read EAN-13. */
export async function openNativeDecoder(): Promise<BarcodeDecoder | null> {
  const Detector = window.BarcodeDetector;
  if (Detector === undefined) return null;
  const formats = await Detector.getSupportedFormats();
  if (!formats.includes(EAN13)) return null;
  const detector = new Detector({
    formats: [EAN13, QR_CODE].filter((format) => formats.includes(format)),
  });
  return {
    async decode(image) {
      const found = await detector.detect(image);
      return found.map(({ rawValue }) => rawValue);
    },
  };
}
