import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import wasmUrl from 'zxing-wasm/writer/zxing_writer.wasm?url';

/** @param level how much of the code may be hidden: M a seventh, Q a quarter */
export async function qrCodeOf(text: string, level: 'M' | 'Q' = 'M'): Promise<string> {
  // By default the library fetches its binary from a public server.
  await prepareZXingModule({
    overrides: { locateFile: () => wasmUrl },
    fireImmediately: true,
  });
  const { svg, error } = await writeBarcode(text, {
    format: 'QRCode',
    options: `ecLevel=${level}`,
  });
  if (error !== '') throw new Error(error);
  return `data:image/svg+xml,${encodeURIComponent(svg.replace('fill="#FFFFFF"', 'fill="none"'))}`;
}
