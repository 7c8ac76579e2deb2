import { resumeOf } from '#shared/history';
import type { CollectionName } from '#shared/collection-names';
import { listerMembres } from '#shared/membres';
import type { Fiche, Modification, ModificationDocument } from '#shared/modifications';
import { compareText } from '#shared/text';
import { formatDay, formatTime } from '$lib/format/dates';
import { withNoBreakSpaces } from '$lib/format/french';
import { locale } from '$lib/format/locale';
import { m } from '$lib/paraglide/messages';
import { detailInWords, detailNom } from '$lib/records/details/names';
import { connection } from '$lib/sync/connection.svelte';
import { perIdentity } from '$lib/sync/identity.svelte';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import type { NamedField } from '$lib/ui/conflict/conflict.svelte';
import type { ModificationList, Kind } from '$lib/ui/kind';
import { answerOf } from '$lib/ui/online-answer.svelte';
import FileInput from '@lucide/svelte/icons/file-input';
import Pencil from '@lucide/svelte/icons/pencil';
import Plus from '@lucide/svelte/icons/plus';
import Trash2 from '@lucide/svelte/icons/trash-2';
import Undo2 from '@lucide/svelte/icons/undo-2';
import type { Component } from 'svelte';
import { auteurs } from '../auteurs/kind.ts';
import { emplacements } from '../emplacements/kind.ts';
import { lectures } from '../lectures/kind.ts';
import { livres } from '../livres/kind.svelte.ts';
import { objectifs } from '../objectifs/kind.ts';
import { numeros, revues } from '../revues/kinds.ts';
import { selections } from '../selections/kind.ts';
import { series } from '../series/kind.svelte.ts';
import { revuesSouhaitees, souhaits } from '../souhaits/kinds.ts';

const all = derivedFromViews((): readonly ModificationDocument[] =>
  [...views().modifications.values()].sort((a, b) => b.id - a.id),
);

const deletions = derivedFromViews(() => all().filter(isDeletion));

const people = derivedFromViews((): readonly (string | null)[] =>
  [...new Set(all().map(({ utilisateur }) => utilisateur))].sort(
    (a, b) => Number(a === null) - Number(b === null) || compareText(a ?? '', b ?? ''),
  ),
);

export const modificationsView = {
  all,
  deletions,
  /** Everyone who did something, by name; `null`, somebody unknown, last. */
  people,
  get: (id: number): ModificationDocument | undefined => views().modifications.get(id),
  /** The newest modification of an import: its execution or its undo. */
  ofImportation: (id: number): ModificationDocument | undefined =>
    all().find(({ importationId }) => importationId === id),
  /**
   * The modification that deleted a record, and whose undo restores it: for an author, the one that removed the last
   * book.
   */
  deletionOf: (collection: string, id: number): ModificationDocument | undefined =>
    all().find(
      ({ annulee, annuleId, fiches }) =>
        !annulee &&
        !isUndoing(annuleId) &&
        fiches.some(
          (fiche) => fiche.collection === collection && fiche.id === id && fiche.supprimee,
        ),
    ),
  ofRecord: (collection: CollectionName, id: number): readonly ModificationDocument[] =>
    all().filter(({ fiches }) =>
      fiches.some((fiche) => fiche.collection === collection && fiche.id === id),
    ),
};

/**
 * True for a deletion that can be undone. An author who disappears with the last book is no deletion; a redone
 * deletion belongs to the first one.
 */
function isDeletion({ fiches, annulee, annuleId }: ModificationDocument): boolean {
  if (annulee || isUndoing(annuleId)) return false;
  return fiches.some(({ collection, supprimee }) => supprimee && collection !== 'auteurs');
}

const isUndoing = (id: number | null): boolean =>
  id !== null && (views().modifications.get(id)?.annuleId ?? null) !== null;

/** The names of members by identifier, from the server; empty without accounts. */
class MemberNames {
  byIdentifiant = $state.raw<ReadonlyMap<string, string>>(new Map());
}

const names = perIdentity(() => new MemberNames());

/** Asks for the names of members, for a screen that shows who did something. Call while a component is set up. */
export function knowPeople(): void {
  const membres = answerOf(listerMembres, () => connection.moi?.compte === true);
  $effect(() => {
    if (membres.current !== null)
      names().byIdentifiant = new Map(
        membres.current.map(({ identifiant, nom }) => [identifiant, nom]),
      );
  });
}

/** A member's name, else the sign-on's; null if nobody was recorded. */
export const personLabel = (utilisateur: string | null): string | null =>
  utilisateur === null ? null : (names().byIdentifiant.get(utilisateur) ?? utilisateur);

/** « Claire, le 3 mars à 10:12 »: who did something and when, or when alone where nobody was recorded. */
export function byAndWhen({
  utilisateur,
  date,
}: Pick<Modification, 'utilisateur' | 'date'>): string {
  const at = new Date(date);
  const when = { day: formatDay(at), time: formatTime(at) };
  const who = personLabel(utilisateur);
  return who === null ? m.modification_date(when) : m.modification_by({ who, ...when });
}

/** « annulée par Claire ». */
export function annuleeBy({ utilisateur }: Pick<Modification, 'utilisateur'>): string {
  const who = personLabel(utilisateur);
  return who === null ? m.modification_annulee() : m.modification_annulee_by({ who });
}

/** The part of a kind that serves records of every kind. */
interface AnyKind extends Pick<Kind<never>, 'collection' | 'label' | 'historyFields'> {
  readonly fields: readonly NamedField[];
  get(id: number): { readonly id: number } | undefined;
  titreOf(record: { readonly id: number }): string;
  hrefOf?(record: { readonly id: number }): string;
}

const kinds: ReadonlyMap<string, AnyKind> = new Map(
  [
    livres,
    auteurs,
    series,
    emplacements,
    revues,
    numeros,
    lectures,
    souhaits,
    revuesSouhaitees,
    selections,
    objectifs,
  ].map((kind: AnyKind) => [kind.collection, kind]),
);

export const sentenceOf = (modification: Pick<ModificationDocument, 'arguments'>): string =>
  withNoBreakSpaces(resumeOf(modification.arguments, locale));

const ADDITIONS: ModificationList = {
  key: 'additions',
  label: m.modifications_additions,
  icon: Plus,
};
const CHANGES: ModificationList = { key: 'changes', label: m.modifications_changes, icon: Pencil };
const UNDOINGS: ModificationList = {
  key: 'annulations',
  label: m.modifications_annulations,
  icon: Undo2,
};

export const modificationLists: readonly ModificationList[] = [
  ADDITIONS,
  CHANGES,
  ...new Set(
    [...kinds.values()].flatMap(({ historyFields = [] }) =>
      historyFields.flatMap(({ acts }) => acts ?? []),
    ),
  ),
  UNDOINGS,
];

interface ModificationLook {
  readonly icon: Component;
  /** `null` for a deletion, which has its own list. */
  readonly list: ModificationList | null;
}

const lookOfList = (list: ModificationList): ModificationLook => ({ icon: list.icon, list });

const DELETION: ModificationLook = { icon: Trash2, list: null };

/** By the verb that begins an operation's name. */
const LOOKS: Readonly<Record<string, ModificationLook>> = {
  ajouter: lookOfList(ADDITIONS),
  souhaiter: lookOfList(ADDITIONS),
  importer: { icon: FileInput, list: ADDITIONS },
  supprimer: DELETION,
  annuler: lookOfList(UNDOINGS),
};

/** By the operation's verb; for an unknown one by the change of the first record. */
export function lookOf({ operation, fiches: [first] }: ModificationDocument): ModificationLook {
  const look = LOOKS[/^[a-z]+/.exec(operation)?.[0] ?? ''];
  if (look !== undefined) return look;
  if (first?.supprimee) return DELETION;
  const changed = new Set(first?.champs.map(({ champ }) => champ));
  const historyFields = kinds.get(first?.collection ?? '')?.historyFields;
  return lookOfList(
    historyFields?.find(({ acts, key }) => acts && changed.has(key))?.acts ?? CHANGES,
  );
}

export const kindLabel = ({ collection }: Fiche): string =>
  kinds.get(collection)?.label() ?? collection;

/** A field before and after, in words; `null` for nothing. */
interface ChangedField {
  readonly label: string;
  /** The change as a sentence; `undefined` if the field has none. */
  readonly sentence: string | undefined;
  readonly avant: string | null;
  readonly apres: string | null;
}

/** Without fields unknown to this version, and without a deleted record's title, which is shown above. */
export function changedFields({ collection, champs, titre, supprimee }: Fiche): ChangedField[] {
  const { fields = [], historyFields = [] } = kinds.get(collection) ?? {};
  return champs.flatMap(({ champ, avant, apres }) => {
    const [name = '', ...part] = champ.split(':');
    const field = [...fields, ...historyFields].find(({ key }) => key === name);
    if (field === undefined || (supprimee && avant === titre)) return [];
    const { label, format = String, formatFirst } = field;
    const nom = part.join(':');
    const inWords = (value: string | number | null) => {
      if (value === null) return null;
      const text = format(String(value));
      return nom === '' ? text : detailInWords({ nom, valeur: text }).valeur;
    };
    const after = inWords(apres);
    const sentence = avant === null && after !== null ? formatFirst?.(after) : undefined;
    return {
      label: nom === '' ? label() : detailNom(nom),
      sentence,
      avant: inWords(avant),
      apres: after,
    };
  });
}

/** The page of a record; `null` if its kind has none, or it is deleted. */
export function hrefOf({ collection, id }: Fiche): string | null {
  const kind = kinds.get(collection);
  const record = kind?.get(id);
  return (record && kind?.hrefOf?.(record)) ?? null;
}

/** The title at that time, else the present one; '' if unknown. */
export function titreOf({ collection, id, titre }: Fiche): string {
  const kind = kinds.get(collection);
  const record = kind?.get(id);
  return titre || ((record && kind?.titreOf(record)) ?? '');
}
