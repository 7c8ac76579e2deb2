import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '@fastify/sensible';
import { escapeUTF8 } from 'entities';
import { contracted } from '#shared/elision';
import * as api from '#shared/partages';
import { LISTE_PATH, MAX_NOM_VISITEUR } from '#shared/partages';
import { normaliser, storedLine } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { toRefusal } from '#server/plumbing/http/framework';
import { mount } from '#server/plumbing/http/mount';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { COVER } from '#server/subjects/couvertures/library';
import { offrirEnVisite, retirerOffreDeVisite } from './offres.ts';

// The page of a wish list for who has no way into the house (docs/rules.md § 60). Whoever has its address may be the
// list's owner: so no answer here depends on an offer.

const SECRET_BYTES = 24;
const SECRET = /^[\w-]{32}$/;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Returns the secret, of which nothing but a hash is kept: the former link leads nowhere any more. */
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

interface Souhait {
  readonly id: number;
  readonly titre: string;
  readonly auteur: string | null;
  readonly cle: string | null;
}

const souhaitsOf = (database: Reader, utilisateur: string): Souhait[] =>
  database.all<Souhait>(
    `SELECT d.id, d.titre, d.auteur, ${COVER} ->> 'cle' AS cle FROM Souhait d
     WHERE d.utilisateur = ? ORDER BY d.rang, d.id`,
    utilisateur,
  );

/** So that a page stays of a size that a slow line carries. */
const MAX_PICTURES = 100;

/** In the page itself: nothing else is asked for by it. */
async function picturesOf(
  { library }: Pick<Covers, 'library'>,
  souhaits: readonly Souhait[],
): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  for (const cle of new Set(souhaits.flatMap((one) => one.cle ?? []))) {
    if (pictures.size === MAX_PICTURES) break;
    // Of a picture that cannot be read the page shows none.
    const image = await library.read(cle, 'ligne').catch(() => null);
    if (image) pictures.set(cle, `data:${image.type};base64,${image.content.toString('base64')}`);
  }
  return pictures;
}

const STYLE = `
:root { color-scheme: light dark; --paper: #f8f4ec; --ink: #231d16; --soft: #6a6256; --line: #d9d0c0; --accent: #7a2b22; --on: #fff; --sheet: #fffdf8 }
@media (prefers-color-scheme: dark) { :root { --paper: #171512; --ink: #f2ece1; --soft: #b3a99a; --line: #3b362f; --accent: #eda79b; --on: #231d16; --sheet: #211e1a } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
h1, h2 { font-family: Georgia, serif; line-height: 1.2; margin: 0 }
h1 { font-size: 1.75rem }
h2 { font-size: 1.125rem }
p { margin: 0.5rem 0 }
.soft { color: var(--soft) }
label { display: block; font-weight: 600; margin-top: 1.25rem }
input { width: 100%; max-width: 22rem; min-height: 2.75rem; padding: 0 0.75rem; border: 1px solid var(--soft); border-radius: 0.625rem; background: var(--sheet); color: inherit; font: inherit }
ul { list-style: none; margin: 1.25rem 0 0; padding: 0; border-top: 1px solid var(--line) }
li { display: flex; flex-wrap: wrap; gap: 0.5rem 0.875rem; align-items: center; padding: 0.75rem 0; border-bottom: 1px solid var(--line) }
li img, .none { flex: none; width: 2.75rem; height: 4.125rem; object-fit: cover; border-radius: 0.25rem; background: var(--line) }
.text { flex: 1 1 7rem; min-width: 0 }
.text p { margin: 0 }
button { min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--soft); border-radius: 0.75rem; background: var(--sheet); color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on) }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The address is the secret.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
} as const;

const pageOf = (title: string, body: string): string =>
  `<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow"><title>${escapeUTF8(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`;

const send = (reply: FastifyReply, title: string, body: string): FastifyReply =>
  reply.headers(HEADERS).type('text/html; charset=utf-8').send(pageOf(title, body));

const titleOf = ({ nom }: Liste): string => contracted(`Les envies de ${nom}`);

/** A disabled button before all others: Enter in the field gives nobody the first book of the list. */
const NO_DEFAULT = '<button disabled hidden></button>';

function listPage(
  liste: Liste,
  souhaits: readonly Souhait[],
  pictures: ReadonlyMap<string, string>,
): string {
  const nom = escapeUTF8(liste.nom);
  const rows = souhaits.map(({ id, titre, auteur, cle }) => {
    const source = pictures.get(cle ?? '');
    const image =
      source === undefined ? '<span class="none"></span>' : `<img src="${source}" alt="">`;
    const by = auteur === null ? '' : `<p class="soft">${escapeUTF8(auteur)}</p>`;
    return `<li>${image}<div class="text"><h2 id="s${id}">${escapeUTF8(titre)}</h2>${by}</div>
<button name="souhait" value="${id}" aria-describedby="s${id}">Je l’offre</button></li>`;
  });
  const form =
    rows.length === 0
      ? '<p>Rien n’est souhaité pour l’instant.</p>'
      : `<form method="post">${NO_DEFAULT}
<label for="nom">Votre prénom</label>
<input id="nom" name="nom" required maxlength="${MAX_NOM_VISITEUR}" autocomplete="given-name">
<ul>${rows.join('\n')}</ul></form>`;
  return `<h1>${escapeUTF8(titleOf(liste))}</h1>
<p class="soft">Écrivez votre prénom, puis touchez «\u00a0Je l’offre\u00a0» à côté d’un livre. ${nom} ne le verra pas\u00a0; les autres de la maison, si.</p>
<p class="soft">Pour que ${nom} n’apprenne rien ici, cette page ne dit pas ce qui est déjà offert\u00a0: demandez aux autres.</p>
${form}`;
}

function donePage(liste: Liste, titre: string, nom: string, id: number, isGiven: boolean): string {
  const [book, owner] = [escapeUTF8(titre), escapeUTF8(liste.nom)];
  const said = isGiven
    ? `<h1>C’est noté</h1><p>Vous offrez «\u00a0${book}\u00a0». ${owner} ne le verra pas\u00a0; les autres de la maison, si.</p>`
    : `<h1>C’est noté</h1><p>Vous n’offrez plus «\u00a0${book}\u00a0».</p>`;
  const undo = isGiven
    ? `<form method="post"><input type="hidden" name="nom" value="${escapeUTF8(nom)}">
<input type="hidden" name="retirer" value="oui">
<button name="souhait" value="${id}">Je ne l’offre plus</button></form>`
    : '';
  return `${said}${undo}<p><a href="">Revenir à la liste</a></p>`;
}

/** As it is kept; `null` for one that says nothing or is too long. */
function nomOf(typed: string | null): { readonly nom: string; readonly cle: string } | null {
  const nom = storedLine(typed ?? '');
  const cle = normaliser(nom);
  return cle === '' || Array.from(nom).length > MAX_NOM_VISITEUR ? null : { nom, cle };
}

/** A page of another site cannot know the address; a browser that says that it sent this is refused all the same. */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  /\b(?:cross|same)-site\b/i.test([headers['sec-fetch-site'] ?? ''].flat().join());

const MAX_WAIT_MS = 4_000;

const MAX_BODY_BYTES = 4096;

interface Parts {
  readonly database: Database;
  readonly covers: Pick<Covers, 'library'>;
}

export function routes(app: FastifyInstance, { database, covers }: Parts): void {
  mount(app, api.creerListe, ({ tx, utilisateur, request }) => {
    const secret = makeListe(tx, utilisateur, request.identity.nomComplet);
    return { secret, adresse: `${LISTE_PATH}${secret}` };
  });
  mount(app, api.terminerListe, ({ tx, utilisateur }) => endListe(tx, utilisateur));

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.setErrorHandler((error: Error, _request, reply) => {
      const { status, message, retryAfterS } = toRefusal(error);
      if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS);
      const said =
        status === 404 ? 'Cette liste n’est pas montrée, ou ne l’est plus.' : escapeUTF8(message);
      send(reply.code(status), 'Liste', `<h1>Rayonnage</h1><p>${said}</p>`);
    });

    interface Of {
      Params: { secret: string };
    }
    const path = `${LISTE_PATH}:secret`;

    scope.get<Of>(path, { config: { rateLimit: { max: 60 } } }, async ({ params }, reply) => {
      const { liste, souhaits } = database.read(() => {
        const read = requireListe(database, params.secret);
        return { liste: read, souhaits: souhaitsOf(database, read.utilisateur) };
      });
      const pictures = await picturesOf(covers, souhaits);
      return send(reply, titleOf(liste), listPage(liste, souhaits, pictures));
    });

    scope.post<Of>(path, { config: { rateLimit: { max: 20 } } }, async (request, reply) => {
      if (isForeign(request)) throw httpErrors.forbidden();
      const liste = requireListe(database, request.params.secret);
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const souhait = souhaitsOf(database, liste.utilisateur).find(
        ({ id }) => String(id) === fields.get('souhait'),
      );
      const visitor = nomOf(fields.get('nom'));
      if (souhait === undefined || visitor === null) {
        const said =
          souhait === undefined
            ? 'Ce livre n’est plus sur la liste.'
            : `Il faut un prénom, de ${MAX_NOM_VISITEUR} caractères au plus.`;
        const body = `<h1>Rien n’est noté</h1><p>${said}</p><p><a href="">Revenir à la liste</a></p>`;
        return send(reply.code(400), titleOf(liste), body);
      }
      const isGiven = !fields.has('retirer');
      const write = isGiven ? offrirEnVisite : retirerOffreDeVisite;
      await database.writeLock.whenFree(
        () => database.write((tx) => write(tx, souhait.id, visitor)),
        MAX_WAIT_MS,
      );
      const { nom } = visitor;
      const body = donePage(liste, souhait.titre, nom, souhait.id, isGiven);
      return send(reply, titleOf(liste), body);
    });
  });
}
