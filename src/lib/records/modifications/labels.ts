import FileInput from '@lucide/svelte/icons/file-input';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Pencil from '@lucide/svelte/icons/pencil';
import Plus from '@lucide/svelte/icons/plus';
import Trash2 from '@lucide/svelte/icons/trash-2';
import Undo2 from '@lucide/svelte/icons/undo-2';
import type { Component } from 'svelte';
import { withNoBreakSpaces } from '$lib/format/no-break';
import { m } from '$lib/paraglide/messages';
import type { Fiche, Modification, ModificationDocument } from '#shared/modifications';
import { kinds } from '../kinds.ts';

export const sentenceOf = ({ resume }: Pick<Modification, 'resume'>): string =>
  withNoBreakSpaces(resume);

/** Who did it. */
export const personLabel = (utilisateur: string | null): string =>
  utilisateur ?? m.modifications_unknown();

/** What acts are told apart by, as the address names it. */
export const ACT_KINDS = ['additions', 'changes', 'prets', 'statuts', 'annulations'] as const;
type ActKind = (typeof ACT_KINDS)[number];

export const actKindLabels: Readonly<Record<ActKind, () => string>> = {
  additions: m.modifications_additions,
  changes: m.modifications_changes,
  prets: m.modifications_prets,
  statuts: m.modifications_statuts,
  annulations: m.modifications_annulations,
};

interface OperationLook {
  /** The names of the operations. */
  readonly pattern: RegExp;
  readonly icon: Component;
  /** `null` for a deletion, which has its own list. */
  readonly kind: ActKind | null;
}

const LOOKS: readonly OperationLook[] = [
  { pattern: /^annuler/, icon: Undo2, kind: 'annulations' },
  { pattern: /^supprimer/, icon: Trash2, kind: null },
  { pattern: /^(?:preter|rendre)/, icon: HandHelping, kind: 'prets' },
  { pattern: /^modifierStatut/, icon: Pencil, kind: 'statuts' },
  { pattern: /^(?:ajouter|souhaiter)/, icon: Plus, kind: 'additions' },
  { pattern: /^importer/, icon: FileInput, kind: 'additions' },
];

const lookOf = (operation: string): Omit<OperationLook, 'pattern'> =>
  LOOKS.find(({ pattern }) => pattern.test(operation)) ?? { icon: Pencil, kind: 'changes' };

/** What stands for an operation in a list. */
export const iconOf = ({ operation }: Pick<Modification, 'operation'>): Component =>
  lookOf(operation).icon;

/** The kind of an act; `null` for a deletion. */
export const actKindOf = ({ operation, fiches }: ModificationDocument): ActKind | null =>
  operation === 'lot' ? kindOfLot(fiches) : lookOf(operation).kind;

/** Many books at once: what was done to the first one says it. */
function kindOfLot([first]: readonly Fiche[]): ActKind | null {
  if (first?.supprimee) return null;
  const changed = new Set(first?.champs.map(({ champ }) => champ));
  if (changed.has('emprunteur') || changed.has('dateRetour')) return 'prets';
  return changed.has('statut') ? 'statuts' : 'changes';
}

export const kindLabel = ({ collection }: Fiche): string =>
  kinds.get(collection)?.label() ?? collection;

/** A field before and after, in words; `null` stands for nothing. */
interface ChangedField {
  readonly label: string;
  readonly avant: string | null;
  readonly apres: string | null;
}

/**
 * The fields of a record that an act changed; what this application has no word for is left out, and
 * what a record that is gone was called, which stands above them.
 */
export function toldFields({ collection, champs, titre, supprimee }: Fiche): ChangedField[] {
  const { fields = [], told = [] } = kinds.get(collection) ?? {};
  return champs.flatMap(({ champ, avant, apres }) => {
    const field = [...fields, ...told].find(({ key }) => key === champ);
    if (field === undefined || (supprimee && avant === titre)) return [];
    const { label, tell = String } = field;
    const inWords = (value: string | number | null) =>
      value === null ? null : tell(String(value));
    return { label: label(), avant: inWords(avant), apres: inWords(apres) };
  });
}

/** The page of a record; `null` where there is none, or no such record any more. */
export const hrefOf = ({ collection, id }: Fiche): string | null =>
  kinds.get(collection)?.hrefOf(id) ?? null;

/** What a record is called: as the act tells it, else as it is called now; '' where nobody knows. */
export const titreOf = ({ collection, id, titre }: Fiche): string =>
  titre || (kinds.get(collection)?.nameOf(id) ?? '');
