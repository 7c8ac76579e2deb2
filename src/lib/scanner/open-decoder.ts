import { DecoderMissing, type BarcodeDecoder } from './decoder.ts';

let opened: Promise<BarcodeDecoder> | null = null;

/**
 * The browser's own decoder where it knows EAN-13, otherwise the one that comes with the
 * application, which is loaded only then.
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
  const { openNativeDecoder } = await import('./native-decoder.ts');
  const native = await openNativeDecoder();
  if (native !== null) return native;
  const { openZxingDecoder } = await import('./zxing-decoder.ts');
  return openZxingDecoder();
}
