import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { detailKey } from '#shared/detail-names';
import { namedByCritere } from '#shared/details';
import { MAX_EXPORT_ID } from '#shared/export';
import { champRefusal, found, Refusal } from '#shared/refusals';
import * as api from '#shared/selections';
import {
  MAX_LISTE,
  MAX_SELECTIONS,
  Selection,
  type CriteresGardes,
  type SelectionLue,
  type SelectionSaisie,
} from '#shared/selections';
import { searchForm, textKey } from '#shared/text';
import { isReordering } from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  readList,
  refusingTwins,
  renewedLine,
  renewRows,
  updateRow,
  updateRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import { CRITERES, suivreAnnulations } from './renommages.ts';

const projection = documentProjection('Selection', Selection, {
  criteres: CRITERES,
  livres: `iif(d.criteres = 'null', (SELECT json_group_array(e.livreId ORDER BY e.position, e.livreId)
    FROM SelectionLivre e WHERE e.selectionId = d.id), NULL)`,
  partagee: "d.utilisateur = ''",
  rang: 'd.position',
});

/** The owner of shared selections. */
const HOUSE = '';

const LIVRES = { table: 'SelectionLivre', record: 'selectionId', entry: 'livreId' };

const keysOf = ({ nom }: { readonly nom: string }) => ({ nomNormalise: textKey(nom) });

const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM Selection
  WHERE utilisateur = @utilisateur)`;

const ofOwner = (database: Reader, owner: string): Selection[] =>
  readDocuments(database, projection, 'WHERE d.utilisateur = ? ORDER BY d.position, d.id', owner);

/** The caller's own selections, then the shared ones. */
const readSelections = (database: Reader, utilisateur: string | null): SelectionLue[] =>
  database.read(() =>
    [
      ...(utilisateur === null ? [] : ofOwner(database, utilisateur)),
      ...ofOwner(database, HOUSE),
    ].map(withInconnus(database)),
  );

const DETAIL_NOMS = `SELECT DISTINCT e.value ->> 'nom' FROM Livre l, json_each(l.details) e
  WHERE l.details IS NOT NULL`;

const EDITEURS = "SELECT DISTINCT editeur FROM Livre WHERE typeof(editeur) = 'text'";

/** By criterion: whether the household has its value. All books are read once at most, for however many searches. */
function knownIn(database: Reader): Readonly<Record<string, (value: string) => boolean>> {
  let details: ReadonlySet<string> | undefined;
  let editeurs: ReadonlySet<string> | undefined;
  return {
    theme: (nom) =>
      database.value('SELECT 1 FROM Theme WHERE nomNormalise = ?', textKey(nom)) !== undefined,
    detail: (critere) => {
      const noms = (details ??= new Set(database.values<string>(DETAIL_NOMS).map(detailKey)));
      return namedByCritere(critere).some((key) => noms.has(key));
    },
    editeur: (nom) => {
      editeurs ??= new Set(database.values<string>(EDITEURS).map(searchForm));
      return editeurs.has(searchForm(nom));
    },
    emplacement: (id) =>
      id === 'aucun' ||
      database.value('SELECT 1 FROM Emplacement WHERE id = ?', Number(id)) !== undefined,
  };
}

function withInconnus(database: Reader): (selection: Selection) => SelectionLue {
  const isKnown = knownIn(database);
  return (selection) => ({
    ...selection,
    inconnus: Object.entries(selection.criteres ?? {}).flatMap(([name, value]) =>
      typeof value !== 'string' || isKnown[name]?.(value) !== false ? [] : [value],
    ),
  });
}

/** A selection of the caller's own or a shared one. Throws `INTROUVABLE`. */
const requireSelection = (database: Reader, id: number, utilisateur: string | null): SelectionLue =>
  found(readSelection(database, id, utilisateur));

function readSelection(
  database: Reader,
  id: number,
  utilisateur: string | null,
): SelectionLue | undefined {
  const rest = "WHERE d.id = ? AND d.utilisateur IN ('', ?)";
  const selection = readDocument(database, projection, rest, id, utilisateur ?? HOUSE);
  return selection && withInconnus(database)(selection);
}

const fieldsOf = ({ nom, accueil = false }: Pick<SelectionSaisie, 'nom' | 'accueil'>) => ({
  nom,
  ...keysOf({ nom }),
  accueil: Number(accueil),
});

/** The criteria of a selection; a list has rows for its books instead, and the JSON `null`. */
const criteresOf = (criteres: CriteresGardes | null) => ({
  criteres: JSON.stringify(criteres),
  actuels: null,
});

/** Empty texts are no criteria. Throws `REQUETE_INVALIDE` without any other. */
function enteredCriteres(criteres: CriteresGardes): CriteresGardes {
  const entered = Object.entries(criteres).filter(([, value]) => value !== '');
  if (entered.length === 0) throw champRefusal('criteres', 'NE_DIT_RIEN');
  return Object.fromEntries(entered);
}

/** The owner of a new selection. Throws `IDENTITE_INCONNUE`. */
function ownerOf({ partagee = false }: SelectionSaisie, utilisateur: string | null): string {
  if (partagee) return HOUSE;
  if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
  return utilisateur;
}

/** Throws `SELECTIONS_TROP_NOMBREUSES`. */
function requireRoom(database: Reader, owner: string): void {
  const count = database.value<number>(
    'SELECT count(*) FROM Selection WHERE utilisateur = ?',
    owner,
  );
  if ((count ?? 0) >= MAX_SELECTIONS)
    throw new Refusal('SELECTIONS_TROP_NOMBREUSES', { maximum: MAX_SELECTIONS });
}

const refusingNamesakes = <T>(nom: string, write: () => T): T =>
  refusingTwins(
    ['Selection.utilisateur', 'Selection.nomNormalise'],
    write,
    () => new Refusal('SELECTION_EXISTANTE', { nom }),
  );

/** Throws `REQUETE_INVALIDE` unless it is either a search or a list. */
function ajouter(
  tx: Transaction,
  utilisateur: string | null,
  saisie: SelectionSaisie,
): SelectionLue {
  const { nom, criteres = null, livres = null } = saisie;
  if ((criteres === null) === (livres === null))
    throw champRefusal('criteres', 'CRITERES_OU_LIVRES');
  const owner = ownerOf(saisie, utilisateur);
  requireRoom(tx, owner);
  const found = criteres && enteredCriteres(criteres);
  const row = { ...fieldsOf(saisie), ...criteresOf(found), utilisateur: owner };
  const id = refusingNamesakes(nom, () =>
    insertRow(tx, 'Selection', row, { position: LAST_POSITION }),
  );
  writeLivres(tx, id, livres ?? []);
  return requireSelection(tx, id, utilisateur);
}

/** A selection that becomes shared is the last one. Throws `SELECTION_DE_LA_MAISON` for the reverse. */
function modifier(
  tx: Transaction,
  { id, utilisateur }: { readonly id: number; readonly utilisateur: string | null },
  saisie: SelectionSaisie,
): SelectionLue {
  const before = requireSelection(tx, id, utilisateur);
  const { partagee = before.partagee } = saisie;
  if (before.partagee && !partagee) throw new Refusal('SELECTION_DE_LA_MAISON');
  const isGiven = partagee && !before.partagee;
  if (isGiven) requireRoom(tx, HOUSE);
  const fields = { ...fieldsOf(saisie), ...rewrittenCriteres(before, saisie) };
  refusingNamesakes(saisie.nom, () =>
    isGiven
      ? updateRow(
          tx,
          'Selection',
          id,
          { ...fields, utilisateur: HOUSE },
          { position: LAST_POSITION },
        )
      : updateRow(tx, 'Selection', id, fields),
  );
  if (saisie.livres) writeLivres(tx, id, saisie.livres);
  return requireSelection(tx, id, utilisateur);
}

/** A search stays a search, and a list a list. Throws `REQUETE_INVALIDE`. */
function rewrittenCriteres(
  { livres }: Selection,
  saisie: SelectionSaisie,
): Partial<ReturnType<typeof criteresOf>> {
  const isListe = livres !== null;
  if (isListe ? saisie.criteres : saisie.livres)
    throw champRefusal(isListe ? 'criteres' : 'livres', 'AUTRE_SELECTION');
  if (isListe) return {};
  if (!saisie.criteres) throw champRefusal('criteres', 'REQUIS');
  return criteresOf(enteredCriteres(saisie.criteres));
}

// The books of a list

const livresIn = (database: Reader, id: number): number[] => readList<number>(database, LIVRES, id);

/**
 * Writes the books of a list. Unchanged entries keep their rows, so that each person's additions can be undone
 * separately.
 */
function writeLivres(
  tx: Transaction,
  id: number,
  livres: readonly number[],
  champ = 'livres',
): void {
  const wanted = new Set(livres);
  const present = new Set(livresIn(tx, id));
  requireLivres(
    tx,
    livres.filter((livre) => !present.has(livre)),
    champ,
  );
  for (const livre of present) if (!wanted.has(livre)) removeLivre(tx, id, livre);
  const selection = tx.get<{ utilisateur: string }>(
    'SELECT utilisateur FROM Selection WHERE id = ?',
    id,
  );
  const utilisateur = selection?.utilisateur ?? HOUSE;
  const places = [...wanted].map((livreId, position) => ({ livreId, position }));
  for (const place of places)
    if (!present.has(place.livreId))
      insertRow(tx, 'SelectionLivre', { ...place, selectionId: id, utilisateur });
  updateRows(
    tx,
    'SelectionLivre',
    ['position'],
    places.map(({ livreId, position }) => [livreId, position]),
    { element: 'livreId', parent: 'selectionId', of: id },
  );
}

const removeLivre = (tx: Transaction, id: number, livreId: number): void => {
  tx.run('DELETE FROM SelectionLivre WHERE selectionId = ? AND livreId = ?', id, livreId);
};

/** Throws `REQUETE_INVALIDE` at the position of a missing book. */
function requireLivres(database: Reader, ids: readonly number[], champ: string): void {
  const missing = database.value<number>(
    `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM Livre) LIMIT 1`,
    JSON.stringify(ids),
  );
  if (missing !== undefined) throw champRefusal(champ, 'PLUS_LA');
}

/** Throws `REQUETE_INVALIDE` for a saved search. */
function requireListe(database: Reader, id: number, utilisateur: string | null): readonly number[] {
  const { livres } = requireSelection(database, id, utilisateur);
  if (livres === null) throw champRefusal('selection', 'AUTRE_SELECTION');
  return livres;
}

/** Adds books at the end of a list of the caller's own or a shared one; books already in it do not move. */
export function ajouterALaListe(
  tx: Transaction,
  id: number,
  livres: readonly number[],
  utilisateur: string | null,
): void {
  const all = [...new Set([...requireListe(tx, id, utilisateur), ...livres])];
  if (all.length > MAX_LISTE)
    throw champRefusal('selection', 'LISTE_PLEINE', { maximum: MAX_LISTE });
  writeLivres(tx, id, all, 'ids');
}

/** Replaces a book by another record of it in all lists. */
export function passListes(tx: Transaction, from: number, to: number): void {
  for (const { id, position, utilisateur } of tx.all<{
    id: number;
    position: number;
    utilisateur: string;
  }>(
    `SELECT selectionId AS id, position, utilisateur FROM SelectionLivre e WHERE livreId = @from
       AND NOT EXISTS (SELECT 1 FROM SelectionLivre WHERE livreId = @to AND selectionId = e.selectionId)`,
    { from, to },
  ))
    insertRow(tx, 'SelectionLivre', { livreId: to, selectionId: id, position, utilisateur });
}

/** Throws `LISTE_PERIMEE` unless the ids are exactly the caller's own, or exactly the shared ones. */
function ordonner(
  tx: Transaction,
  utilisateur: string | null,
  ids: readonly number[],
): SelectionLue[] {
  const owners = utilisateur === null ? [HOUSE] : [utilisateur, HOUSE];
  const lists = owners.map((owner) => ofOwner(tx, owner).map(({ id }) => id));
  if (!lists.some((list) => isReordering(list, ids))) throw new Refusal('LISTE_PERIMEE');
  updateRows(
    tx,
    'Selection',
    ['position'],
    ids.map((id, position) => [id, position]),
  );
  return readSelections(tx, utilisateur);
}

/**
 * Existing names are skipped; the others follow in their former order, with the ids of this household's locations and
 * books.
 */
const restore: Restore<Selection> = (tx, selections, { utilisateur, idsOf, ownId }) => {
  const emplacements = idsOf('emplacements');
  const livres = idsOf('livres');
  const made: { id: number }[] = [];
  for (const selection of selections.toSorted((a, b) => a.rang - b.rang)) {
    const owner = selection.partagee ? HOUSE : utilisateur;
    if (owner === null) continue;
    const known = 'SELECT 1 FROM Selection WHERE utilisateur = ? AND nomNormalise = ?';
    if (tx.value(known, owner, textKey(selection.nom)) !== undefined) continue;
    const criteres = selection.criteres && moved(selection.criteres, emplacements);
    const row = { ...fieldsOf(selection), ...criteresOf(criteres), utilisateur: owner };
    const kept = ownId('Selection', selection.id);
    const id = insertRow(tx, 'Selection', { ...row, id: kept }, { position: LAST_POSITION });
    writeLivres(
      tx,
      id,
      (selection.livres ?? []).flatMap((livre) => livres.get(livre) ?? []),
    );
    made.push({ id });
  }
  return made;
};

/** An id that no household reaches: a deleted location must not match another one here. */
const GONE = String(MAX_EXPORT_ID);

function moved(
  criteres: CriteresGardes,
  emplacements: ReadonlyMap<number, number>,
): CriteresGardes {
  const { emplacement } = criteres;
  if (emplacement === undefined || emplacement === 'aucun') return criteres;
  return { ...criteres, emplacement: String(emplacements.get(Number(emplacement)) ?? GONE) };
}

const nomOf = (database: Reader, id: number): string =>
  database.value<string>('SELECT nom FROM Selection WHERE id = ?', id) ?? '';

export const kind: RecordKind<'selections'> = {
  projection,
  owner: 'utilisateur',
  read: readSelection,
  suivreAnnulations,
  naming: {
    column: 'nom',
    subject: m.reason_sujet_selection,
    changed: m.reason_selection_modifie,
    deleted: m.reason_selection_supprime,
  },
  tables: {
    Selection: {
      derived: ['nomNormalise', 'actuels'],
      notInHistory: ['criteres'],
      order: { list: 'Selection', parent: 'utilisateur', columns: ['position'] },
      reasons: {
        taken: () => m.reason_selection_meme_nom(),
        gone: m.reason_selection_supprime,
      },
    },
    SelectionLivre: {
      partOf: ['selectionId', 'Selection'],
      list: { champ: 'livres', column: 'livreId', table: 'Livre', name: 'titre' },
      derived: ['utilisateur'],
      order: {
        list: 'SelectionLivre',
        element: 'livreId',
        parent: 'selectionId',
        columns: ['position'],
      },
      reasons: {
        taken: () => m.reason_liste_modifie(),
        added: (database, { selectionId }) =>
          m.reason_livre_liste({ liste: nomOf(database, Number(selectionId)) }),
      },
    },
  },
  exports: {
    selections: {
      projection,
      label: m.export_label_selections,
      restore,
    },
  },
  renormaliser: (tx) =>
    renewRows<{ id: number; nom: string; nomNormalise: string }>(tx, 'Selection', (one) => {
      const nom = renewedLine(one.nom);
      return { nom, ...keysOf({ nom }) };
    }),
};

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerSelections, {
      may: 'household',
      run: ({ utilisateur }) => readSelections(database, utilisateur),
    }),
    operation(api.ajouterSelection, {
      may: 'household',
      run: (tx, { utilisateur, body }) => answer(ajouter(tx, utilisateur, body)),
    }),
    operation(api.modifierSelection, {
      may: 'household',
      run: (tx, { utilisateur, params: { id }, body }) =>
        answer(modifier(tx, { id, utilisateur }, body)),
    }),
    operation(api.modifierListe, {
      may: 'household',
      holder: 'rangement',
      size: (_, { body }) => body.ids.length / PLACES_A_RECORD,
      run: (tx, { utilisateur, params: { id }, body: { ids } }) => {
        requireListe(tx, id, utilisateur);
        writeLivres(tx, id, ids, 'ids');
        return answer(requireSelection(tx, id, utilisateur));
      },
    }),
    operation(api.supprimerSelection, {
      may: 'household',
      run: (tx, { utilisateur, params: { id } }) => {
        requireSelection(tx, id, utilisateur);
        tx.run('DELETE FROM Selection WHERE id = ?', id);
        return answer();
      },
    }),
    operation(api.ordonnerSelections, {
      may: 'household',
      run: (tx, { utilisateur, body }) => answer(ordonner(tx, utilisateur, body.ids)),
    }),
  ]);
}
