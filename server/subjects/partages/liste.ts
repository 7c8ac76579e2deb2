import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors } from '@fastify/sensible';
import { m } from '#messages';
import * as api from '#shared/partages';
import { LISTE_PATH, MAX_NOM_VISITEUR } from '#shared/partages';
import { normaliser, storedLine } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { toRefusal } from '#server/plumbing/http/framework';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation } from '#server/plumbing/writes/operations';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { COVER } from '#server/subjects/couvertures/cover-store';
import {
  donePage,
  ListePages,
  listPage,
  notNotedPage,
  refusedPage,
  type Souhait,
} from './liste-page.ts';
import { donnesTo, offrirEnVisite, readOffresMontrees, retirerOffreDeVisite } from './offres.ts';

// The link of a wish list for visitors without an account (docs/rules.md § 60). Any visitor may be
// the list's owner: no response depends on an offer unless the owner has allowed it.

const SECRET_BYTES = 24;
const SECRET = /^[\w-]{32}$/;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Returns the secret, of which only a hash is stored; a former link is replaced. */
function makeListe(tx: Transaction, utilisateur: string, nom: string | null): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  tx.run(
    `INSERT INTO Liste (utilisateur, secret, nom, date) VALUES (@utilisateur, @hash, @nom, @date)
     ON CONFLICT (utilisateur) DO UPDATE SET secret = excluded.secret, nom = excluded.nom, date = excluded.date`,
    { utilisateur, nom, hash: hashOf(secret), date: new Date().toISOString() },
  );
  return secret;
}

export function endListe(tx: Transaction, utilisateur: string): void {
  tx.run('DELETE FROM Liste WHERE utilisateur = ?', utilisateur);
}

/** The links of a backup may have been ended since. */
export function endListes(tx: Transaction): void {
  tx.run('DELETE FROM Liste');
}

interface Liste {
  readonly utilisateur: string;
  readonly nom: string;
}

/** Throws 404. Looked up by a hash, which nobody who guesses can aim at, and compared in constant time. */
function requireListe(database: Reader, secret: string): Liste {
  const hash = hashOf(secret);
  const row = database.get<Liste & { secret: Buffer }>(
    `SELECT l.utilisateur, l.secret, coalesce(m.nom, l.nom, l.utilisateur) AS nom
     FROM Liste l LEFT JOIN Membre m ON m.identifiant = l.utilisateur WHERE l.secret = ?`,
    hash,
  );
  if (!SECRET.test(secret) || row === undefined || !timingSafeEqual(row.secret, hash))
    throw httpErrors.notFound();
  return row;
}

const souhaitsOf = (database: Reader, utilisateur: string): Souhait[] =>
  database.all<Souhait>(
    `SELECT d.id, d.titre, d.auteur, ${COVER} ->> 'cle' AS cle FROM Souhait d
     WHERE d.utilisateur = ? ORDER BY d.rang, d.id`,
    utilisateur,
  );

/** Bounds the size of a page for slow connections. */
const MAX_PICTURES = 100;

/** Embedded in the page, which needs no further request. */
async function picturesOf(
  { store }: Pick<Covers, 'store'>,
  souhaits: readonly Souhait[],
): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  for (const cle of new Set(souhaits.flatMap((one) => one.cle ?? []))) {
    if (pictures.size === MAX_PICTURES) break;
    // An unreadable picture is left out.
    const image = await store.read(cle, 'ligne').catch(() => null);
    if (image) pictures.set(cle, `data:${image.type};base64,${image.content.toString('base64')}`);
  }
  return pictures;
}

/** A visitor's name as it is stored; `null` if it is empty or too long. */
function nomOf(typed: string | null): { readonly nom: string; readonly cle: string } | null {
  const nom = storedLine(typed ?? '');
  const cle = normaliser(nom);
  return cle === '' || Array.from(nom).length > MAX_NOM_VISITEUR ? null : { nom, cle };
}

/** Other sites do not know the address, but requests that browsers mark as cross-site are refused all the same. */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  /\b(?:cross|same)-site\b/i.test([headers['sec-fetch-site'] ?? ''].flat().join());

const MAX_WAIT_MS = 4_000;

const MAX_BODY_BYTES = 4096;

interface Parts {
  readonly config: { readonly clientPath: string; readonly basePath: string };
  readonly database: Database;
  readonly covers: Pick<Covers, 'store'>;
}

export function routes(app: FastifyInstance, { config, database, covers }: Parts): void {
  const pages = new ListePages(config);
  mount(app, [
    operation(api.creerListe, {
      may: 'inPerson',
      prepare: ({ request }) => request.identity,
      run: (tx, { utilisateur, prepared: { nomComplet } }) => {
        const secret = makeListe(tx, utilisateur, nomComplet);
        return answer({ secret, adresse: `${LISTE_PATH}${secret}` });
      },
    }),
    operation(api.terminerListe, {
      may: 'inPerson',
      run: (tx, { utilisateur }) => {
        endListe(tx, utilisateur);
        return answer();
      },
    }),
  ]);

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.setErrorHandler((error: Error, { locale }, reply) => {
      const refusal = toRefusal(error);
      const { status, retryAfterS } = refusal;
      if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS);
      const sentence =
        status === 404 ? m.visite_no_list({}, { locale }) : refusal.wordsIn(locale).message;
      pages.send(reply.code(status), locale, refusedPage(sentence));
    });

    interface Of {
      Params: { secret: string };
    }
    const path = `${LISTE_PATH}:secret`;

    scope.get<Of>(
      path,
      { config: { rateLimit: { max: 60 } } },
      async ({ params, locale }, reply) => {
        const { liste, souhaits, offers } = database.read(() => {
          const read = requireListe(database, params.secret);
          return {
            liste: read,
            souhaits: souhaitsOf(database, read.utilisateur),
            offers: {
              ...readOffresMontrees(database, read.utilisateur),
              given: donnesTo(database, read.utilisateur),
            },
          };
        });
        const pictures = await picturesOf(covers, souhaits);
        const page = { nom: liste.nom, souhaits, pictures, offers };
        return pages.send(reply, locale, listPage(page, locale));
      },
    );

    scope.post<Of>(path, { config: { rateLimit: { max: 20 } } }, async (request, reply) => {
      if (isForeign(request)) throw httpErrors.forbidden();
      const { locale } = request;
      const liste = requireListe(database, request.params.secret);
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const souhait = souhaitsOf(database, liste.utilisateur).find(
        ({ id }) => String(id) === fields.get('souhait'),
      );
      const visitor = nomOf(fields.get('nom'));
      if (souhait === undefined || visitor === null) {
        const why = souhait === undefined ? 'gone' : 'noName';
        return pages.send(reply.code(400), locale, notNotedPage(liste.nom, why, locale));
      }
      const isGiven = !fields.has('retirer');
      const write = isGiven ? offrirEnVisite : retirerOffreDeVisite;
      await database.writeLock.whenFree(
        () => database.write((tx) => write(tx, souhait.id, visitor)),
        MAX_WAIT_MS,
      );
      const given = { ...souhait, by: visitor.nom };
      const { savoirLe } = readOffresMontrees(database, liste.utilisateur);
      const owner = { nom: liste.nom, savoirLe };
      return pages.send(reply, locale, donePage(owner, given, isGiven, locale));
    });
  });
}
