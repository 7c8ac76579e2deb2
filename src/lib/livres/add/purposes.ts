import { m } from '$lib/paraglide/messages';

/** What a scanned code is used for, as the address says it; the first by default. */
export const SCAN_PURPOSES = [
  { value: 'fiche', label: m.scanner_fill() },
  { value: 'etagere', label: m.scanner_add() },
  { value: 'verifier', label: m.scanner_check() },
] as const;
export type ScanPurpose = (typeof SCAN_PURPOSES)[number]['value'];

/** What the address asks the scanner for, `null` where it asks for the form. */
export function purposeOf({ searchParams }: URL): ScanPurpose | null {
  const wanted = searchParams.get('scanner');
  if (wanted === null) return null;
  return SCAN_PURPOSES.find(({ value }) => value === wanted)?.value ?? 'fiche';
}
