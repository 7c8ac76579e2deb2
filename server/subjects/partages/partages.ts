import type { FastifyInstance } from 'fastify';
import { isDue } from '#shared/days';
import { emptyToNull } from '#shared/fields';
import * as api from '#shared/partages';
import { Partage, type Montre, type PartageSaisi } from '#shared/partages';
import { champRefusal } from '#shared/refusals';
import { requireFormat } from '#server/plumbing/common/entry';
import {
  asText,
  documentProjection,
  insertRow,
  readDocuments,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind } from '#server/plumbing/records/kind';
import { COVER } from '#server/subjects/couvertures/cover-store';
import { endListe, endListes } from './liste.ts';
import {
  endAllOffresMontrees,
  endOffres,
  endOffresMontrees,
  offertsTo,
  offresBy,
  offresTo,
  offrir,
  readOffresMontrees,
  retirerOffre,
  writeOffresMontrees,
} from './offres.ts';

// The lists that a reader shares with the household (docs/rules.md § 59).

/** Open readings, the latest first; a deleted book has the title that the reading keeps. */
const LECTURES = `(SELECT json_group_array(
    json_object('livreId', livreId, 'titre', ${asText('titre')}, 'depuis', ${asText('debut')}) ORDER BY debut DESC, id)
  FROM (
    SELECT e.id, l.id AS livreId, coalesce(l.titre, g.image ->> 'titre', e.titre) AS titre, e.debut
    FROM Lecture e LEFT JOIN Livre l ON l.id = e.livreId
      LEFT JOIN Dormant g ON g.kind = 'Livre' AND g.id = e.livreId AND l.id IS NULL
    WHERE e.utilisateur = p.utilisateur AND e.debut IS NOT NULL AND e.fin IS NULL AND NOT e.abandon))`;

const SOUHAITS = `(SELECT json_group_array(
    json_object('id', id, 'titre', ${asText('titre')}, 'auteur', ${asText('auteur')}, 'isbnAffiche', format_isbn(isbn),
      'couverture', json(couverture)) ORDER BY rang, id)
  FROM (
    SELECT d.id, d.titre, d.auteur, d.isbn, d.rang, ${COVER} AS couverture
    FROM Souhait d WHERE d.utilisateur = p.utilisateur))`;

/** The alias `d`, which the SQL of covers expects for a wish, shadows the outer row inside. */
const projection = documentProjection(
  'Partage',
  Partage,
  {
    nomComplet: 'coalesce((SELECT m.nom FROM Membre m WHERE m.identifiant = d.utilisateur), d.nom)',
    lectures: `iif(d.lectures, ${LECTURES}, NULL)`,
    souhaits: `iif(d.souhaits, ${SOUHAITS}, NULL)`,
  },
  'JOIN Partage p ON p.id = d.id',
);

export const kind: RecordKind<'partages'> = { projection };

const readPartage = (database: Reader, utilisateur: string) => {
  const row = database.get<{ lectures: 0 | 1; souhaits: 0 | 1 }>(
    'SELECT lectures, souhaits FROM Partage WHERE utilisateur = ?',
    utilisateur,
  );
  return { lectures: row?.lectures === 1, souhaits: row?.souhaits === 1 };
};

/** The day has to be in the future, so that givers know it in time. Throws `REQUETE_INVALIDE`. */
function enteredSavoirLe(typed: string | null | undefined, known: string | null): string | null {
  if (typed === undefined) return known;
  const day = emptyToNull(typed);
  if (day === null || day === known) return day;
  requireFormat('date', day, 'savoirLe');
  if (isDue(day, new Date())) throw champRefusal('savoirLe', 'PAS_A_VENIR');
  return day;
}

/** Stops sharing; the record is deleted on every device. */
function endPartage(tx: Transaction, utilisateur: string): void {
  tx.run('DELETE FROM Partage WHERE utilisateur = ?', utilisateur);
}

/** Ends the sharing, the links and the offers of a reader who loses access. */
export function leavePartages(tx: Transaction, utilisateur: string): void {
  endPartage(tx, utilisateur);
  endListe(tx, utilisateur);
  endOffresMontrees(tx, utilisateur);
  endOffres(tx, utilisateur);
}

/** A backup may restore lists whose sharing was ended since: nothing is shared until each reader shares it again. */
export function endPartages(tx: Transaction): void {
  tx.run('DELETE FROM Partage');
  endAllOffresMontrees(tx);
  endListes(tx);
}

/** @param nom the reader's name at a sign-on */
function choisirPartage(
  tx: Transaction,
  utilisateur: string,
  nom: string | null,
  { lectures, souhaits, ...offres }: PartageSaisi,
): void {
  const known = readOffresMontrees(tx, utilisateur);
  writeOffresMontrees(tx, utilisateur, {
    donnes: offres.donnes ?? known.donnes,
    savoirLe: enteredSavoirLe(offres.savoirLe, known.savoirLe),
  });
  if (!lectures && !souhaits) {
    endPartage(tx, utilisateur);
    return;
  }
  const row = { utilisateur, nom, lectures: Number(lectures), souhaits: Number(souhaits) };
  const { changes } = tx.run(
    `UPDATE Partage SET nom = @nom, lectures = @lectures, souhaits = @souhaits
     WHERE utilisateur = @utilisateur`,
    row,
  );
  if (changes === 0) insertRow(tx, 'Partage', row);
}

/** The owner of a list never reads its offers. */
const listMontres = (database: Reader, caller: string): Montre[] =>
  readDocuments(database, projection, 'ORDER BY d.id').map(
    ({ utilisateur, nomComplet, lectures, souhaits }) => {
      const ids = utilisateur === caller ? [] : (souhaits ?? []).map(({ id }) => id);
      const offerts = offertsTo(database, caller, ids);
      const { savoirLe } = readOffresMontrees(database, utilisateur);
      return {
        utilisateur,
        nomComplet,
        ...(lectures !== null && { lectures }),
        ...(souhaits !== null && {
          souhaits: souhaits.map((one) => ({ ...one, offert: offerts.get(one.id) ?? null })),
        }),
        ...(savoirLe !== null && { savoirLe }),
      };
    },
  );

interface Door {
  readonly config: {
    readonly accounts: boolean;
    readonly identity: { readonly simulatedUser: string | null };
  };
  readonly database: Database;
}

/** Whether other people may sign in: another member, or anybody by a sign-on. */
const hasOthers = ({ config, database }: Door): boolean =>
  config.accounts
    ? (database.value<number>('SELECT count(*) FROM Membre WHERE exclu = 0') ?? 0) > 1
    : config.identity.simulatedUser === null;

export function routes(app: FastifyInstance, door: Door): void {
  const { database } = door;
  const partageOf = (of: Reader, utilisateur: string) => {
    const { donnes, savoirLe } = readOffresMontrees(of, utilisateur);
    return {
      ...readPartage(of, utilisateur),
      ...(donnes && { donnes }),
      ...(savoirLe !== null && { savoirLe }),
      autres: hasOthers(door),
      lien: of.value<string>('SELECT date FROM Liste WHERE utilisateur = ?', utilisateur) ?? null,
    };
  };

  mount(app, [
    read(api.lirePartage, {
      may: 'self',
      run: ({ utilisateur }) => partageOf(database, utilisateur),
    }),
    operation(api.choisirPartage, {
      may: 'self',
      prepare: ({ request }) => request.identity,
      run: (tx, { utilisateur, body, prepared: { nomComplet } }) => {
        choisirPartage(tx, utilisateur, nomComplet, body);
        return answer(partageOf(tx, utilisateur));
      },
    }),
    read(api.lireMaison, {
      may: 'self',
      run: ({ utilisateur }) => database.read(() => listMontres(database, utilisateur)),
    }),
    read(api.listerOffres, {
      may: 'self',
      run: ({ utilisateur }) => database.read(() => offresBy(database, utilisateur)),
    }),
    read(api.listerOffresRecues, {
      may: 'self',
      run: ({ utilisateur }) => database.read(() => offresTo(database, utilisateur, new Date())),
    }),
    operation(api.offrirSouhait, {
      may: 'self',
      prepare: ({ request }) => request.identity,
      run: (tx, { utilisateur, params, prepared: { nomComplet } }) => {
        const nom = nomComplet ?? utilisateur;
        return answer(offrir(tx, { utilisateur, nom }, params.id));
      },
    }),
    operation(api.retirerOffre, {
      may: 'self',
      run: (tx, { utilisateur, params }) => {
        retirerOffre(tx, utilisateur, params.id);
        return answer();
      },
    }),
  ]);
}
