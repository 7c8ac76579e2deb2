import Bookmark from '@lucide/svelte/icons/bookmark';
import type { Batch } from '$lib/api/feedback.svelte';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { textField } from '$lib/ui/form/fields';
import { type FieldDescription, TextEntry } from '$lib/ui/form/text-entry.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import { MAX_LENGTHS } from '#shared/fields';
import * as endpoints from '#shared/selections';
import type { CriteresGardes, Selection, SelectionSaisie } from '#shared/selections';
import { rewrite, type RewriteOptions } from '../rewrite.ts';
import { traiterLot } from '../livres/lots.ts';
import { isListe, selectionsView, type Liste } from './view.svelte.ts';

export const ajouterSelection = operation(endpoints.ajouterSelection);
const modifierSelection = operation(endpoints.modifierSelection);
const modifierListe = operation(endpoints.modifierListe);
const supprimerSelection = operation(endpoints.supprimerSelection);
const ordonner = operation(endpoints.ordonnerSelections);

/** Throws the refusal `LISTE_PERIMEE` unless `ids` are all of one's own, or all shared ones. */
export const ordonnerSelections = (ids: number[], batch: Batch): Promise<Selection[]> =>
  ordonner({ ids }, { batch });

const changerSelection = (
  id: number,
  change: (selection: Selection) => Partial<SelectionSaisie>,
  givenUp?: AbortSignal,
): Promise<Selection | null> =>
  rewrite(
    { collection: 'selections', get: selectionsView.get, put: modifierSelection },
    id,
    (selection) => {
      const { nom, criteres, partagee, accueil } = selection;
      return {
        nom,
        ...(criteres && { criteres }),
        partagee,
        accueil,
        ...change(selection),
      };
    },
    { givenUp },
  );

/** Replaces a selection's criteria; name, owner and display stay. */
export const remplacerSelection = (
  { id }: Selection,
  { criteres, accueil: isAsked = false }: SelectionSaisie,
  givenUp?: AbortSignal,
): Promise<Selection | null> =>
  changerSelection(
    id,
    ({ accueil }) => ({ ...(criteres && { criteres }), accueil: accueil || isAsked }),
    givenUp,
  );

export const noterAccueil = ({ id }: Selection, accueil: boolean): Promise<Selection | null> =>
  changerSelection(id, () => ({ accueil }));

export const partagerSelection = ({ id }: Selection): Promise<Selection | null> =>
  changerSelection(id, () => ({ partagee: true }));

// Manual lists

const rewriteListe = (
  id: number,
  change: (livres: readonly number[]) => readonly number[],
  options: RewriteOptions = {},
): Promise<Selection | null> =>
  rewrite(
    {
      collection: 'selections',
      get: selectionsView.get,
      put: (liste, ids: number[], put) => modifierListe(liste, { ids }, put),
    },
    id,
    ({ livres }) => livres && [...change(livres)],
    options,
  );

/** Arranges a list. Books added by others meanwhile go to its end, removed ones stay removed. */
export const ordonnerListe = (
  { id }: Liste,
  ids: readonly number[],
  batch: Batch,
): Promise<Selection | null> =>
  rewriteListe(
    id,
    (livres) => {
      const [wanted, there] = [new Set(ids), new Set(livres)];
      return [
        ...ids.filter((livre) => there.has(livre)),
        ...livres.filter((livre) => !wanted.has(livre)),
      ];
    },
    { batch },
  );

export const retirerDeListe = ({ id }: Liste, livreId: number): Promise<Selection | null> =>
  rewriteListe(id, (livres) => livres.filter((livre) => livre !== livreId));

/** Adds books to the list of a name, created if needed for the reader, else for the household. */
export async function mettreEnListe(
  nom: string,
  ids: readonly number[],
  givenUp?: AbortSignal,
): Promise<void> {
  const liste = selectionsView.listeNamed(nom);
  if (liste !== undefined)
    await traiterLot({ action: 'liste', ids: [...ids], selection: liste.id }, { givenUp });
  else
    await ajouterSelection(
      { nom, livres: [...ids], partagee: connection.isAnonymous },
      { givenUp },
    );
}

const OUI = '1';

type SelectionTexts = Omit<Selection, 'id' | 'rang' | 'livres'>;
type Field = FieldDescription<SelectionTexts, SelectionSaisie>;

const yesOrNo = (text: string): string => (text === OUI ? m.yes() : m.no());

const flag = (key: 'partagee' | 'accueil', label: () => string): Field => ({
  key,
  label,
  options: [
    { value: '', label: m.no },
    { value: OUI, label: m.yes },
  ],
  read: (record) => (record[key] ? OUI : ''),
  write: (text) => ({ [key]: text === OUI }),
  display: yesOrNo,
  format: (text) => yesOrNo(text === 'true' || text === OUI ? OUI : ''),
});

const NAMED_FIELDS: readonly Field[] = [
  textField('nom', {
    label: m.field_nom,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    check: (nom) => (nom.trim() === '' ? m.selection_nom_required() : undefined),
    refusals: ['SELECTION_EXISTANTE'],
  }),
  flag('partagee', m.selection_partagee),
  flag('accueil', m.selection_accueil),
];

/** Changed in the catalogue; the form shows where another person has changed it meanwhile. */
const CRITERES_FIELD: Field = {
  key: 'criteres',
  label: m.selection_criteres,
  read: ({ criteres }) => JSON.stringify(criteres),
  write: (text) => ({ criteres: parseCriteres(text) ?? {} }),
  display: (text) =>
    Object.entries(parseCriteres(text) ?? {})
      .map(([nom, value]) => m.detail_told({ nom, valeur: String(value) }))
      .join(', '),
};

const parseCriteres = (text: string): CriteresGardes | null =>
  unsafeCast<CriteresGardes | null>(JSON.parse(text));

/** For a list, whose books are arranged on its screen: the name's form shows their refusals. */
const LIVRES_FIELD: Pick<Field, 'key' | 'label'> = { key: 'livres', label: m.selection_livres };

const SELECTION_FIELDS: readonly Field[] = [...NAMED_FIELDS, CRITERES_FIELD];

export class SelectionEntry extends TextEntry<SelectionTexts, SelectionSaisie> {
  /** A new draft stores no search, since the next one differs. */
  constructor(selection: SelectionTexts, fields = SELECTION_FIELDS) {
    super(fields, selection, {
      nom: '',
      ...(selection.criteres && { criteres: selection.criteres }),
    });
  }

  has(key: 'partagee' | 'accueil'): boolean {
    return this.text(key) === OUI;
  }

  set(key: 'partagee' | 'accueil', value: boolean): void {
    this.setText(key, value ? OUI : '');
  }
}

export const newSelection = (criteres: CriteresGardes, partagee: boolean): SelectionEntry =>
  new SelectionEntry({ nom: '', criteres, partagee, accueil: false }, NAMED_FIELDS);

/** The form of a new list with books. */
export class ListeEntry extends SelectionEntry {
  readonly #livres: readonly number[];

  constructor(livres: readonly number[], partagee: boolean) {
    super({ nom: '', criteres: null, partagee, accueil: false }, NAMED_FIELDS);
    this.#livres = livres;
  }

  override toSaisie(): SelectionSaisie {
    return { ...super.toSaisie(), livres: [...this.#livres] };
  }
}

const back = () => ({ href: href('/selections'), label: m.selections() });

export const selections: EditableKind<Selection, SelectionEntry> & ScreenKind<Selection> = {
  collection: 'selections',
  label: m.kind_selection,
  fields: SELECTION_FIELDS,
  historyFields: [LIVRES_FIELD],
  get: (id) => selectionsView.get(id),
  titreOf: ({ nom }) => nom,
  entryOf: (selection) =>
    new SelectionEntry(selection, isListe(selection) ? NAMED_FIELDS : SELECTION_FIELDS),
  ajouter: (entry, givenUp) => ajouterSelection(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierSelection(id, entry.toSaisie(), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerSelection(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/selections/${id}`),
  listOf: back,
  notFound: () => ({
    icon: Bookmark,
    heading: m.selection_not_found(),
    text: m.selection_not_found_text(),
    back: back(),
  }),
};
