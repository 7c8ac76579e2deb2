/** What a scanned code is used for, as the address says it, or the end of an evening of scans; the first by default. */
const SCAN_PURPOSES = ['fiche', 'etagere', 'fin', 'verifier'] as const;
type ScanPurpose = (typeof SCAN_PURPOSES)[number];

/** What the address asks the scanner for, `null` where it asks for the form. */
export function purposeOf({ searchParams }: URL): ScanPurpose | null {
  const wanted = searchParams.get('scanner');
  if (wanted === null) return null;
  return SCAN_PURPOSES.find((purpose) => purpose === wanted) ?? 'fiche';
}
