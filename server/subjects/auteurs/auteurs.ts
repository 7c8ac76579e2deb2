import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import * as api from '#shared/auteurs';
import { formatMotif } from '#shared/fusion-motif';
import { Auteur, AuteurDocument } from '#shared/auteurs';
import { ExportAuteur, ExportRefus } from '#shared/export';
import { parseNom } from '#shared/nom-form';
import { found, Refusal } from '#shared/refusals';
import { cleRegroupement, normaliser } from '#shared/text';
import { inSlices, oneAtATime } from '#server/plumbing/common/slices';
import {
  asText,
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  renewedLine,
  renewRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { whileAwaited } from '#server/plumbing/http/request';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { archivedByKey, restoreArchivedByKey } from '#server/plumbing/records/dormant';
import { suivreRenommage } from '#server/subjects/selections/renommages';
import type { RecordKind } from '#server/plumbing/records/kind';
import {
  applyFusionRules,
  fullNom,
  fusionner,
  idPair,
  Refus,
  withFormesOf,
  withNom,
  withSpelling,
  type AuteurRecord,
  type FusionResult,
  type IdPair,
  type NamedAuteur,
} from './merging.ts';
import { DistinctNames, isIndexable, MANY_NAMES } from './distinct-names.ts';
import { Evidence, suggestFusions, type AuteurCredits } from './suggestions.ts';

const counted = documentProjection('Auteur', Auteur, {
  nombreLivres: '(SELECT count(*) FROM LivreAuteur la WHERE la.auteurId = d.id)',
});

const readAuteur = (database: Reader, id: number): Auteur | undefined =>
  readDocument(database, counted, 'WHERE d.id = ?', id);

const recordProjection = documentProjection('Auteur', ExportAuteur);

export const listAuteurRecords = (database: Reader): AuteurRecord[] =>
  readDocuments(database, recordProjection, 'ORDER BY d.id');

const readAuteurRecord = (database: Reader, id: number): AuteurRecord | undefined =>
  readDocument(database, recordProjection, 'WHERE d.id = ?', id);

export const auteurRecordByKey = (database: Reader, key: string): AuteurRecord | undefined =>
  readDocument(database, recordProjection, 'WHERE d.cleRegroupement = ?', key);

/** The author into which a person merged another one of this name (docs/rules.md § 15). */
export const auteurOfForme = (database: Reader, nom: string): AuteurRecord | undefined =>
  readDocument(
    database,
    recordProjection,
    `WHERE d.formesReunies <> '[]' AND EXISTS (
       SELECT 1 FROM json_each(d.formesReunies) WHERE cle_regroupement(value) = ?)
     ORDER BY d.id LIMIT 1`,
    cleRegroupement(nom),
  );

/** The names of a book that belong to merged authors, each with the name of the remaining author. */
export const reunisParmi = (
  database: Reader,
  noms: readonly string[],
): { readonly saisi: string; readonly nom: string }[] =>
  noms.flatMap((saisi) => {
    if (auteurRecordByKey(database, cleRegroupement(saisi)) !== undefined) return [];
    const auteur = auteurOfForme(database, saisi);
    return auteur === undefined ? [] : [{ saisi, nom: auteur.nom }];
  });

const keysOf = (nom: string) => ({
  nomNormalise: normaliser(nom),
  cleRegroupement: cleRegroupement(nom),
});

/** Caches the name lookups of `findOrCreateAuteurs` for one write; any other change of an author clears it. */
const signaturesOfWrite = new WeakMap<Transaction, DistinctSignatures>();

export function insertAuteur(tx: Transaction, nom: string, id: number | null = null): number {
  signaturesOfWrite.delete(tx);
  return insertRow(tx, 'Auteur', { id, nom, ...keysOf(nom) });
}

/** Violates `Auteur_cle_unique` where the key is taken. */
export function updateNoms(
  tx: Transaction,
  { id, nom, formePleine, nomChoisi = false, formesReunies }: AuteurRecord,
): void {
  signaturesOfWrite.delete(tx);
  const formes = formesReunies === undefined ? null : JSON.stringify(formesReunies);
  tx.run(
    `UPDATE Auteur SET nom = @nom, formePleine = @formePleine, nomChoisi = @choisi,
         formesReunies = coalesce(@formes, formesReunies),
         nomNormalise = @nomNormalise, cleRegroupement = @cleRegroupement
       WHERE id = @id AND (nom <> @nom OR formePleine IS NOT @formePleine OR nomChoisi <> @choisi
         OR formesReunies <> coalesce(@formes, formesReunies))`,
    { id, nom, formePleine, choisi: Number(nomChoisi), formes, ...keysOf(nom) },
  );
}

const UNUSED = `
  NOT EXISTS (SELECT 1 FROM LivreAuteur WHERE auteurId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE premierId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE secondId = Auteur.id)`;

export function deleteUnused(tx: Transaction, ids: readonly number[]): void {
  const { changes } = tx.run(
    `DELETE FROM Auteur WHERE id IN (SELECT value FROM json_each(?)) AND ${UNUSED}`,
    JSON.stringify(ids),
  );
  if (changes > 0) signaturesOfWrite.delete(tx);
}

/** Names with a common signature may be one person's. */
const formKeys = (nom: string) => ({
  cle: cleRegroupement(nom),
  signature: parseNom(nom).signature,
});

/** Computes the keys of new and changed names, or of all (`true`). */
export function fileNoms(tx: Transaction, which = 'signature IS NULL'): void {
  const noms = tx.all<{ id: number; nom: string }>(
    `SELECT id, ${asText('coalesce(formePleine, nom)')} AS nom FROM AuteurForme JOIN Auteur ON id = auteurId
       WHERE ${which}`,
  );
  const sql = `UPDATE AuteurForme SET cle = @cle, signature = @signature
    WHERE auteurId = @id AND (cle IS NOT @cle OR signature IS NOT @signature)`;
  for (const { id, nom } of noms) tx.run(sql, { id, ...formKeys(nom) });
}

/** How many names are read per slice. */
const NOMS_AT_ONCE = 1000;

/** All, under the fullest known name; the keys are `null` where they are not computed yet. Pauses after each thousand. */
function* listNamedAuteurs(database: Reader): Generator<void, NamedAuteur[]> {
  const noms: NamedAuteur[] = [];
  for (;;) {
    const page = database.all<NamedAuteur>(
      `SELECT id, ${asText('coalesce(formePleine, nom)')} AS nom, cle, signature
         FROM Auteur JOIN AuteurForme ON auteurId = id WHERE id > ? ORDER BY id LIMIT ?`,
      noms.at(-1)?.id ?? 0,
      NOMS_AT_ONCE,
    );
    noms.push(...page);
    if (page.length < NOMS_AT_ONCE) return noms;
    yield;
  }
}

function readCredits(database: Reader, auteurId: number): AuteurCredits {
  const livres = database.all<{ cle: string; autres: string | null }>(
    `SELECT Livre.cleOeuvre AS cle, (
         SELECT group_concat(other.auteurId) FROM LivreAuteur other
         WHERE other.livreId = own.livreId AND other.auteurId <> own.auteurId) AS autres
       FROM LivreAuteur own JOIN Livre ON Livre.id = own.livreId WHERE own.auteurId = ?`,
    auteurId,
  );
  return {
    nombreLivres: livres.length,
    oeuvres: new Set(livres.flatMap(({ cle }) => (cle === '' ? [] : [cle]))),
    others: new Set(livres.flatMap(({ autres }) => autres?.split(',') ?? [])),
  };
}

/**
 * The authors that the merging rules may join to one of these names: those with its signature or grouping key, all
 * with the same signature as those, and all whose keys are not computed yet.
 */
const relatedAuteurRecords = (database: Reader, noms: readonly string[]): AuteurRecord[] => {
  const asked = noms.map(formKeys);
  // Most new names have none, and this finds so three times sooner.
  const some = `SELECT 1 FROM AuteurForme WHERE cle = @cle
    UNION ALL SELECT 1 FROM AuteurForme WHERE signature = @signature
    UNION ALL SELECT 1 FROM AuteurForme WHERE signature IS NULL LIMIT 1`;
  if (asked.every((keys) => database.value(some, keys) === undefined)) return [];
  return readDocuments(
    database,
    recordProjection,
    `WHERE d.id IN (
       WITH asked AS (
         SELECT value ->> 'cle' AS cle, value ->> 'signature' AS signature FROM json_each(?)),
       sameKey AS (
         SELECT auteurId, signature FROM AuteurForme WHERE cle IN (SELECT cle FROM asked))
       SELECT auteurId FROM sameKey
       UNION SELECT auteurId FROM AuteurForme
         WHERE signature IN (SELECT signature FROM asked UNION SELECT signature FROM sameKey)
       UNION SELECT auteurId FROM AuteurForme WHERE signature IS NULL)
     ORDER BY d.id`,
    JSON.stringify(asked),
  );
};

function dormantAuteur(database: Reader, nom: string): AuteurRecord | undefined {
  const row = archivedByKey(database, 'Auteur', cleRegroupement(nom));
  if (row === undefined) return undefined;
  const { id, nom: spelling, formePleine, nomChoisi, formesReunies = '[]' } = row;
  return recordProjection.toDocument({ id, nom: spelling, formePleine, nomChoisi, formesReunies });
}

/** Brings back the author who had the key of a name, in this spelling unless a person chose another; returns the id. */
export function restoreArchivedAuteur(tx: Transaction, nom: string): number | undefined {
  signaturesOfWrite.delete(tx);
  const id = restoreArchivedByKey(tx, 'Auteur', cleRegroupement(nom));
  if (id !== undefined && readAuteurRecord(tx, id)?.nomChoisi !== true)
    updateNoms(tx, { id, nom, formePleine: null });
  return id;
}

export const listRefus = (database: Reader): IdPair[] =>
  database
    .all<{ premierId: number; secondId: number }>('SELECT premierId, secondId FROM FusionRefusee')
    .map(({ premierId, secondId }) => [premierId, secondId]);

export function insertRefus(tx: Transaction, [first, second]: IdPair): void {
  const sql =
    'INSERT INTO FusionRefusee (premierId, secondId) VALUES (?, ?) ON CONFLICT DO NOTHING';
  tx.run(sql, first, second);
}

/**
 * A book with both authors keeps the earlier position. Refused merges pass to the remaining author, except the one
 * between the two.
 */
function replaceAuteur(tx: Transaction, absorbed: number, kept: number): void {
  signaturesOfWrite.delete(tx);
  tx.run(
    `DELETE FROM LivreAuteur
       WHERE auteurId IN (@absorbed, @kept) AND EXISTS (
         SELECT 1 FROM LivreAuteur other
         WHERE other.livreId = LivreAuteur.livreId
           AND other.auteurId IN (@absorbed, @kept)
           AND other.position < LivreAuteur.position)`,
    { absorbed, kept },
  );
  tx.run('UPDATE LivreAuteur SET auteurId = ? WHERE auteurId = ?', kept, absorbed);
  const pairs = listRefus(tx).filter((pair) => pair.includes(absorbed));
  tx.run('DELETE FROM FusionRefusee WHERE premierId = ? OR secondId = ?', absorbed, absorbed);
  for (const [first, second] of pairs) {
    const other = first === absorbed ? second : first;
    if (other !== kept) insertRefus(tx, idPair(other, kept));
  }
  tx.run('DELETE FROM Auteur WHERE id = ?', absorbed);
}

export const kind: RecordKind<'auteurs'> = {
  projection: documentProjection('Auteur', AuteurDocument),
  read: readAuteur,
  naming: {
    column: 'nom',
    subject: m.reason_sujet_auteur,
    changed: m.reason_auteur_modifie,
    deleted: m.reason_auteur_supprime,
  },
  tables: {
    Auteur: {
      derived: ['nomNormalise', 'cleRegroupement'],
      notInHistory: ['formePleine', 'nomChoisi', 'formesReunies'],
      lookupTable: {
        unique: 'cleRegroupement',
        named: m.reason_auteur_autres_livres,
        deleteUnused,
      },
      reasons: {
        taken: () => m.reason_auteur_meme_nom(),
        gone: m.reason_auteur_reuni,
      },
    },
    FusionRefusee: {
      reasons: {
        changed: () => m.reason_auteurs_autrement(),
        taken: () => m.reason_auteurs_autrement(),
      },
    },
  },
  exports: {
    auteurs: { projection: recordProjection, label: m.export_label_auteurs },
    refus: {
      projection: documentProjection('FusionRefusee', ExportRefus),
      label: m.export_label_refus,
      isWhole: true,
    },
  },
  renormaliser,
};

/**
 * Applies the present rules of normalising and merging to all authors (docs/rules.md § 30). A taken key stays with
 * its owner: two people with one key, kept apart by a refused merge, must not prevent the start.
 */
function renormaliser(tx: Transaction): boolean {
  tx.run(`DELETE FROM Auteur WHERE ${UNUSED}`);
  renewRows<AuteurRecord>(tx, 'Auteur', ({ nom }) => ({ nom: renewedLine(nom) }));
  applyFusions(tx, applyFusionRules(listAuteurRecords(tx), new Refus(listRefus(tx))));
  type AuteurRow = AuteurRecord & ReturnType<typeof keysOf>;
  renewRows<AuteurRow>(tx, 'Auteur', ({ nom }) => ({ nomNormalise: normaliser(nom) }));
  const areRenewed = renewRows<AuteurRow>(tx, 'Auteur', ({ nom }) => ({
    cleRegroupement: cleRegroupement(nom),
  }));
  fileNoms(tx, 'true');
  return areRenewed;
}

export function applyFusions(tx: Transaction, { successors, kept }: FusionResult): void {
  for (const [absorbed, successor] of successors) replaceAuteur(tx, absorbed, successor);
  for (const auteur of kept) updateNoms(tx, auteur);
}

/**
 * Finds or creates the authors of a cover and returns their ids in its order. An author named twice counts once, a more
 * presentable spelling becomes the shown name, and initials merge with their full form (docs/rules.md § 13–16).
 */
export function findOrCreateAuteurs(tx: Transaction, noms: readonly string[]): number[] {
  let ids: number[] = [];
  // Removed meanwhile, since writing an author clears the cache.
  const signatures = signaturesOfWrite.get(tx) ?? new DistinctSignatures(tx, true);
  signaturesOfWrite.delete(tx);
  for (const nom of noms) {
    fileNoms(tx);
    const { known, auteur, fusion } = planAuteur(tx, nom, signatures);
    const id =
      known?.id ??
      fusion.successors.get(NEW_ID) ??
      restoreArchivedAuteur(tx, nom) ??
      absorbedBy(fusion) ??
      insertAuteur(tx, nom);
    if (known !== undefined && nom !== known.nom) updateNoms(tx, auteur);
    const result = withRealId(fusion, id);
    applyFusions(tx, result);
    signatures.note(result, { ...auteur, id });
    ids = [...ids, id].map((other) => result.successors.get(other) ?? other);
  }
  signaturesOfWrite.set(tx, signatures);
  return [...new Set(ids)];
}

/**
 * The ids that `findOrCreateAuteurs` would return, without writing; negative for a new author.
 *
 * @param signatures of the same database, as it is
 */
export const findAuteurs = (
  database: Reader,
  noms: readonly string[],
  signatures?: DistinctSignatures,
): number[] =>
  noms.map((nom, index) => {
    const { auteur, known, fusion } = planAuteur(database, nom, signatures);
    return fusion.successors.get(auteur.id) ?? known?.id ?? absorbedBy(fusion) ?? -1 - index;
  });

/** Placeholder id of an author not yet inserted: the highest id, as the inserted one will be. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/**
 * The author of a name, and the merges that adding it would cause. Another spelling of a known name may have its
 * words in another order; a deleted author with a chosen name is restored under it.
 */
function planAuteur(database: Reader, nom: string, signatures?: DistinctSignatures) {
  const known = auteurRecordByKey(database, cleRegroupement(nom));
  if (known !== undefined) {
    const auteur = nom === known.nom ? known : withSpelling(known, nom);
    const full = [fullNom(known), fullNom(auteur)];
    const fusion =
      full[0] === full[1] ? NO_FUSION : planFusions(database, full, auteur, signatures);
    return { known, auteur, fusion };
  }
  const reuni = auteurOfForme(database, nom);
  if (reuni !== undefined) return { known: reuni, auteur: reuni, fusion: NO_FUSION };
  const dormant = dormantAuteur(database, nom);
  const own = dormant?.nomChoisi === true ? dormant : { nom, formePleine: null };
  const auteur = { ...own, id: NEW_ID };
  return { known, auteur, fusion: planFusions(database, [nom], auteur, signatures) };
}

const NO_FUSION: FusionResult = { successors: new Map(), kept: [] };

function planFusions(
  database: Reader,
  noms: readonly string[],
  auteur: AuteurRecord,
  signatures?: DistinctSignatures,
): FusionResult {
  const near = signatures?.plan(noms, auteur);
  if (near !== undefined) return near;
  const related = relatedAuteurRecords(database, noms);
  const others = related.filter(({ id }) => id !== auteur.id);
  if (others.length === 0) return NO_FUSION;
  signatures?.noteAll(noms, related);
  return applyFusionRules([...others, auteur], new Refus(listRefus(database)));
}

/**
 * The signatures of many names whose authors are known to be distinct. A write merges authors and thereby makes them
 * distinct; a read has to check first.
 */
export class DistinctSignatures {
  readonly #database: Reader;
  readonly #isApplied: boolean;
  /** `null` until the names are needed again. */
  readonly #bySignature = new Map<string, DistinctNames | null>();

  /** @param isApplied whether the planned merges are written */
  constructor(database: Reader, isApplied = false) {
    this.#database = database;
    this.#isApplied = isApplied;
  }

  /** The merges that a name brings; `undefined` where it has to be compared with all of its signature. */
  plan(noms: readonly string[], auteur: AuteurRecord): FusionResult | undefined {
    const database = this.#database;
    const form = parseNom(fullNom(auteur));
    const { signature } = form;
    if (auteur.id === NEW_ID && !isIndexable(form)) return undefined;
    const names = this.#namesOf(signature);
    if (names === undefined) return undefined;
    if (auteur.id !== NEW_ID) return names.isSame(auteur) ? NO_FUSION : undefined;
    const sameKey = noms.flatMap((nom) =>
      database.all<{ id: number; signature: string | null }>(
        'SELECT auteurId AS id, signature FROM AuteurForme WHERE cle = ?',
        cleRegroupement(nom),
      ),
    );
    if (sameKey.some((other) => other.signature !== signature)) return undefined;
    const ids = names.reachedFrom(
      auteur,
      sameKey.map(({ id }) => id),
    );
    if (ids === null) return undefined;
    if (ids.size === 0) return NO_FUSION;
    const others = readDocuments(
      database,
      recordProjection,
      'WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY d.id',
      JSON.stringify([...ids]),
    );
    const result = applyFusionRules([...others, auteur], new Refus(listRefus(database)));
    return names.isAll(result, auteur) ? result : undefined;
  }

  #namesOf(signature: string): DistinctNames | undefined {
    const known = this.#bySignature.get(signature);
    if (known !== null) return known;
    const names = new DistinctNames(
      readDocuments(
        this.#database,
        recordProjection,
        'WHERE d.id IN (SELECT auteurId FROM AuteurForme WHERE signature = ?)',
        signature,
      ),
    );
    this.#bySignature.set(signature, names);
    return names;
  }

  /** All that the rules may join to these names, to which a write is about to apply them. */
  noteAll(noms: readonly string[], related: readonly AuteurRecord[]): void {
    for (const other of related) this.#bySignature.delete(parseNom(fullNom(other)).signature);
    if (related.length < MANY_NAMES) return;
    if (!this.#isApplied) {
      const refus = new Refus(listRefus(this.#database));
      if (applyFusionRules(related, refus).successors.size > 0) return;
    }
    for (const nom of noms) this.#bySignature.set(parseNom(nom).signature, null);
  }

  /** Records the outcome of a planned name. */
  note({ successors, kept }: FusionResult, auteur: AuteurRecord): void {
    const { signature } = parseNom(fullNom(auteur));
    const names = this.#bySignature.get(signature);
    for (const absorbed of successors.keys()) names?.remove(absorbed);
    const isKept = successors.has(auteur.id) || kept.some(({ id }) => id === auteur.id);
    for (const each of isKept ? kept : [auteur, ...kept])
      if (parseNom(fullNom(each)).signature === signature) names?.put(each);
      else this.#bySignature.delete(parseNom(fullNom(each)).signature);
  }
}

/** An author whose shorter form the new name absorbs; the record is reused. */
const absorbedBy = ({ successors }: FusionResult): number | undefined =>
  [...successors].find(([, kept]) => kept === NEW_ID)?.[0];

function withRealId({ successors, kept }: FusionResult, id: number): FusionResult {
  const real = (other: number) => (other === NEW_ID ? id : other);
  const pairs = [...successors].map(([absorbed, to]) => [real(absorbed), real(to)] as const);
  return {
    successors: new Map(pairs.filter(([absorbed, to]) => absorbed !== to)),
    kept: kept.map((auteur) => ({ ...auteur, id: real(auteur.id) })),
  };
}

/** The author of a name, either shown or the full form behind it. */
function findOwnerOfNom(database: Reader, nom: string): AuteurRecord | undefined {
  const key = cleRegroupement(nom);
  return (
    auteurRecordByKey(database, key) ??
    relatedAuteurRecords(database, [nom]).find((auteur) => cleRegroupement(fullNom(auteur)) === key)
  );
}

/** Throws `AUTEUR_EXISTANT` for a name that another author has. */
function modifierAuteur(tx: Transaction, id: number, nom: string): Auteur {
  const auteur = found(readAuteurRecord(tx, id));
  const other = findOwnerOfNom(tx, nom);
  if (other && other.id !== id)
    throw new Refusal('AUTEUR_EXISTANT', { auteur: { id: other.id, nom: other.nom } });
  const renamed = withNom(auteur, nom);
  updateNoms(tx, renamed);
  const result = planFusions(tx, [nom], renamed);
  applyFusions(tx, result);
  const present = found(readAuteur(tx, result.successors.get(id) ?? id));
  suivreRenommage(tx, { genre: 'auteur', de: auteur.nom, vers: present.nom });
  return present;
}

/** Without its sentence: one computation serves callers in several languages. */
type LikelyFusion = Omit<api.FusionSuggestion, 'raison'>;

/**
 * The likeliest merges for a person to decide, surest first, without authors who have no book, and their total
 * number; computed in slices (docs/rules.md § 15).
 *
 * @param signal ends the computation
 */
export async function listSuggestions(
  database: Reader,
  signal: AbortSignal,
): Promise<{ readonly suggestions: LikelyFusion[]; readonly total: number }> {
  const evidence = new Evidence((id) => readCredits(database, id));
  const work = function* () {
    const noms = yield* listNamedAuteurs(database);
    const refus = new Refus(listRefus(database));
    const isShown = (id: number) => evidence.creditsOf(id).nombreLivres > 0;
    return yield* suggestFusions(noms, refus, evidence, isShown);
  };
  const { suggestions: pairs, total } = await inSlices(work(), signal);
  const ids = JSON.stringify(pairs.flatMap(({ pair }) => pair));
  const where = 'WHERE d.id IN (SELECT value FROM json_each(?))';
  const auteurs = readDocuments(database, counted, where, ids);
  const byId = new Map(auteurs.map((auteur) => [auteur.id, auteur]));
  const suggestions = pairs.flatMap(({ pair: [a, b], motif }): LikelyFusion[] => {
    const [first, second] = [byId.get(a), byId.get(b)];
    // An author may have been deleted meanwhile.
    if (!first?.nombreLivres || !second?.nombreLivres) return [];
    return [{ auteurs: [first, second], motif }];
  });
  return { suggestions, total };
}

/** Merges two authors, even after a refusal, and returns the remaining one, even without a book. */
function fusionnerAuteurs(tx: Transaction, [a, b]: readonly [number, number]): Auteur {
  const [one, other] = [found(readAuteurRecord(tx, a)), found(readAuteurRecord(tx, b))];
  const { kept, absorbedId } = fusionner(one, other);
  replaceAuteur(tx, absorbedId, kept.id);
  updateNoms(tx, withFormesOf(kept, absorbedId === one.id ? one : other));
  const answer = found(readAuteur(tx, kept.id));
  for (const { nom } of [one, other])
    suivreRenommage(tx, { genre: 'auteur', de: nom, vers: answer.nom });
  deleteUnused(tx, [kept.id]);
  return answer;
}

const countLivres = (database: Reader, ids: readonly number[]): number =>
  database.value<number>(
    'SELECT count(*) FROM LivreAuteur WHERE auteurId IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  ) ?? 0;

const renaming = operation(api.modifierAuteur, {
  may: 'household',
  holder: 'nom',
  size: (database, { params }) => countLivres(database, [params.id]),
  run: (tx, { params, body }) => answer(modifierAuteur(tx, params.id, body.nom)),
});

const reunion = operation(api.fusionnerAuteurs, {
  may: 'household',
  holder: 'reunionAuteurs',
  size: (database, { body }) => countLivres(database, body.auteurs),
  run: (tx, { body }) => answer(fusionnerAuteurs(tx, body.auteurs)),
});

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  const suggestions = oneAtATime((signal) => listSuggestions(database, signal));
  mount(app, [
    read(api.listerAuteurs, {
      may: 'household',
      run: () => readDocuments(database, counted, 'ORDER BY d.nomNormalise, d.id'),
    }),
    renaming,
    read(api.listerSuggestions, {
      may: 'household',
      run: async ({ reply }) => {
        const likeliest = await suggestions(whileAwaited(reply));
        reply.header('X-Total-Count', likeliest.total);
        return likeliest.suggestions.map((one) => ({ ...one, raison: formatMotif(one.motif) }));
      },
    }),
    reunion,
    operation(api.refuserFusion, {
      may: 'household',
      run: (tx, { body: { auteurs } }) => {
        for (const id of auteurs) found(readAuteurRecord(tx, id));
        insertRefus(tx, idPair(...auteurs));
        return answer();
      },
    }),
  ]);
}
