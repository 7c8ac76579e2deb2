import { m } from '$lib/paraglide/messages';

/** What a scanned code is for; the first where the address does not say. */
export const USAGES = [
  { valeur: 'fiche', nom: m.scanner_fiche() },
  { valeur: 'etagere', nom: m.scanner_etagere() },
  { valeur: 'verifier', nom: m.scanner_verifier() },
] as const;
export type Usage = (typeof USAGES)[number]['valeur'];

/** What the address asks the scanner for, `null` where it asks for the form. */
export function usageDe({ searchParams }: URL): Usage | null {
  const mot = searchParams.get('scanner');
  if (mot === null) return null;
  return USAGES.find(({ valeur }) => valeur === mot)?.valeur ?? 'fiche';
}
