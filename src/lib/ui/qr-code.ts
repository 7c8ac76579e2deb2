import { prepareZXingModule, purgeZXingModule, writeBarcode } from 'zxing-wasm/writer';
import wasmUrl from 'zxing-wasm/writer/zxing_writer.wasm?url';

/** By default the library fetches its binary from a public server; new overrides reinitialise it. */
const overrides = { locateFile: () => wasmUrl };

/** @param level how much of the code may be hidden: M a seventh, Q a quarter */
export async function qrCodeOf(text: string, level: 'M' | 'Q' = 'M'): Promise<string> {
  try {
    await prepareZXingModule({ overrides, fireImmediately: true });
  } catch (error) {
    // The module is unusable from here on.
    purgeZXingModule();
    throw error;
  }
  const { svg, error } = await writeBarcode(text, {
    format: 'QRCode',
    options: `ecLevel=${level}`,
  });
  if (error !== '') throw new Error(error);
  return `data:image/svg+xml,${encodeURIComponent(svg.replace('fill="#FFFFFF"', 'fill="none"'))}`;
}
