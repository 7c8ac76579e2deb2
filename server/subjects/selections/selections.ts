import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { detailKey } from '#shared/detail-names';
import { namedByCritere } from '#shared/details';
import { MAX_EXPORT_ID } from '#shared/export';
import { champRefusal, found, Refusal } from '#shared/refusals';
import * as api from '#shared/selections';
import {
  MAX_SELECTIONS,
  Selection,
  type CriteresGardes,
  type SelectionLue,
  type SelectionSaisie,
} from '#shared/selections';
import { textKey } from '#shared/text';
import { isReordering } from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  refusingTwins,
  renewedLine,
  renewRows,
  updateRow,
  updateRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import { CRITERES, suivreAnnulations } from './renommages.ts';

const projection = documentProjection('Selection', Selection, {
  criteres: CRITERES,
  partagee: "d.utilisateur = ''",
  rang: 'd.position',
});

/** The owner of what is the house's. */
const HOUSE = '';

const keysOf = ({ nom }: { readonly nom: string }) => ({ nomNormalise: textKey(nom) });

const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM Selection
  WHERE utilisateur = @utilisateur)`;

const ofOwner = (database: Reader, owner: string): Selection[] =>
  readDocuments(database, projection, 'WHERE d.utilisateur = ? ORDER BY d.position, d.id', owner);

/** A caller's own, then the house's. */
const readSelections = (database: Reader, utilisateur: string | null): SelectionLue[] =>
  database.read(() =>
    [
      ...(utilisateur === null ? [] : ofOwner(database, utilisateur)),
      ...ofOwner(database, HOUSE),
    ].map((selection) => withInconnus(database, selection)),
  );

const DETAIL_NOMS = `SELECT DISTINCT e.value ->> 'nom' FROM Livre l, json_each(l.details) e
  WHERE l.details IS NOT NULL`;

function isDetail(database: Reader, critere: string): boolean {
  const keys = new Set(namedByCritere(critere));
  return database.values<string>(DETAIL_NOMS).some((nom) => keys.has(detailKey(nom)));
}

/** By criterion: whether the household has what it names. */
const IS_KNOWN: Readonly<Record<string, (database: Reader, value: string) => boolean>> = {
  theme: (database, nom) =>
    database.value('SELECT 1 FROM Theme WHERE nomNormalise = ?', textKey(nom)) !== undefined,
  detail: isDetail,
  emplacement: (database, id) =>
    id === 'aucun' ||
    database.value('SELECT 1 FROM Emplacement WHERE id = ?', Number(id)) !== undefined,
};

const withInconnus = (database: Reader, selection: Selection): SelectionLue => ({
  ...selection,
  inconnus: Object.entries(selection.criteres).flatMap(([name, value]) =>
    typeof value !== 'string' || IS_KNOWN[name]?.(database, value) !== false ? [] : [value],
  ),
});

/** One that is the caller's own or the house's. Throws `INTROUVABLE`. */
const requireSelection = (database: Reader, id: number, utilisateur: string | null): SelectionLue =>
  found(readSelection(database, id, utilisateur));

function readSelection(
  database: Reader,
  id: number,
  utilisateur: string | null,
): SelectionLue | undefined {
  const rest = "WHERE d.id = ? AND d.utilisateur IN ('', ?)";
  const selection = readDocument(database, projection, rest, id, utilisateur ?? HOUSE);
  return selection && withInconnus(database, selection);
}

const fieldsOf = ({ nom, criteres, accueil = false }: SelectionSaisie) => ({
  nom,
  ...keysOf({ nom }),
  criteres: JSON.stringify(criteres),
  actuels: null,
  accueil: Number(accueil),
});

/** An empty text is no criterion. Throws `REQUETE_INVALIDE` where nothing else is given. */
function entered(saisie: SelectionSaisie): ReturnType<typeof fieldsOf> {
  const said = Object.entries(saisie.criteres).filter(([, value]) => value !== '');
  if (said.length === 0) throw champRefusal('criteres', 'NE_DIT_RIEN');
  return fieldsOf({ ...saisie, criteres: Object.fromEntries(said) });
}

/** Whose a new selection is. Throws `IDENTITE_INCONNUE`. */
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

function ajouter(
  tx: Transaction,
  utilisateur: string | null,
  saisie: SelectionSaisie,
): SelectionLue {
  const owner = ownerOf(saisie, utilisateur);
  requireRoom(tx, owner);
  const row = { ...entered(saisie), utilisateur: owner };
  const id = refusingNamesakes(saisie.nom, () =>
    insertRow(tx, 'Selection', row, { position: LAST_POSITION }),
  );
  return requireSelection(tx, id, utilisateur);
}

/** One that is given to the house becomes its last. Throws `SELECTION_DE_LA_MAISON` for one that would be taken back. */
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
  refusingNamesakes(saisie.nom, () =>
    isGiven
      ? updateRow(
          tx,
          'Selection',
          id,
          { ...entered(saisie), utilisateur: HOUSE },
          { position: LAST_POSITION },
        )
      : updateRow(tx, 'Selection', id, entered(saisie)),
  );
  return requireSelection(tx, id, utilisateur);
}

/** Throws `LISTE_PERIMEE` unless the ids are exactly the caller's own, or exactly those of the house. */
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

/** A name that its list has already is there; the others come behind, in their former order, and lead to their locations. */
const restore: Restore<Selection> = (tx, selections, { utilisateur, idsOf, ownId }) => {
  const emplacements = idsOf('emplacements');
  const made: { id: number }[] = [];
  for (const selection of selections.toSorted((a, b) => a.rang - b.rang)) {
    const owner = selection.partagee ? HOUSE : utilisateur;
    if (owner === null) continue;
    const known = 'SELECT 1 FROM Selection WHERE utilisateur = ? AND nomNormalise = ?';
    if (tx.value(known, owner, textKey(selection.nom)) !== undefined) continue;
    const criteres = moved(selection.criteres, emplacements);
    const row = { ...fieldsOf({ ...selection, criteres }), utilisateur: owner };
    const id = ownId('Selection', selection.id);
    made.push({ id: insertRow(tx, 'Selection', { ...row, id }, { position: LAST_POSITION }) });
  }
  return made;
};

/** No household reaches it: what was a location that is gone is not another one of here. */
const GONE = String(MAX_EXPORT_ID);

function moved(
  criteres: CriteresGardes,
  emplacements: ReadonlyMap<number, number>,
): CriteresGardes {
  const { emplacement } = criteres;
  if (emplacement === undefined || emplacement === 'aucun') return criteres;
  return { ...criteres, emplacement: String(emplacements.get(Number(emplacement)) ?? GONE) };
}

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
