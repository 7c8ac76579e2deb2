import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TObject } from 'typebox';
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifySchema,
  type RouteOptions,
} from 'fastify';
import { keyHeaderOf, statusOf, type Endpoint } from '#shared/endpoint';
import { refusalDetails } from '#shared/refusal-details';
import { codesOf, ErrorBody, type RefusalCode } from '#shared/refusals';
import { needsName } from '#server/plumbing/common/access';
import { refusalRef } from '#server/plumbing/common/error-body';
import { NO_COMPILERS } from '#server/plumbing/http/framework';
import { requestSchema } from '#server/plumbing/http/mount';
import { API_PAGE } from '#server/plumbing/paths';

/** The page loads from this origin only; its styles are inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI 3.1 document of routes and its page, to be requested by `inject`; no route runs in it. */
export async function createDocumentation(
  routePrefix: string,
  routes: readonly RouteOptions[],
  basePath: string,
): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false, schemaController: NO_COMPILERS });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rayonnage',
        version: '1',
        description: DESCRIPTION,
        license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      },
      components: { schemas: refusalSchemas() },
      ...(basePath === '' ? {} : { servers: [{ url: basePath }] }),
    },
    transform: ({ route, url }) => ({
      url,
      schema: schemaOf(route.config ?? {}),
    }),
  });
  for (const { method, url, config } of routes)
    app.route({ method, url, ...(config && { config }), handler: () => null });
  await app.register(swaggerUi, {
    routePrefix,
    indexPrefix: basePath,
    baseDir: API_PAGE,
    logo: { type: 'image/svg+xml', content: readFileSync(join(API_PAGE, 'logo.svg')) },
    staticCSP: POLICY,
    uiConfig: { validatorUrl: null },
    theme: { title: 'Rayonnage : documentation de l’API' },
  });
  await app.ready();
  return app;
}

const schemaOf = ({ endpoint, may, documented }: FastifyContextConfig): FastifySchema =>
  endpoint === undefined ? (documented ?? { hide: true }) : routeSchema(endpoint, needsName(may));

function routeSchema(endpoint: Endpoint, isPersonal: boolean): FastifySchema {
  const { path, summary } = endpoint;
  const headers = requestHeaders(endpoint);
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...requestSchema(endpoint),
    ...(headers && { headers: { type: 'object', properties: headers } }),
    response: Object.fromEntries(
      statusesOf(endpoint, isPersonal).map((status) => [
        status,
        { description: STATUS_CODES[status], ...answerSchema(endpoint, status) },
      ]),
    ),
  };
}

const text = (description: string): object => ({ type: 'string', description });

const IF_MATCH = {
  'If-Match': text('L’étiquette (ETag) de la fiche lue ; si elle a changé depuis, 412.'),
};
const IF_NONE_MATCH = {
  'If-None-Match': text('L’étiquette (ETag) de la fiche connue ; si elle est la même, 304.'),
};
const keyHeader = (method: Endpoint['method']): object => ({
  [keyHeaderOf(method)]: text(
    'De 1 à 200 caractères visibles : la même demande sous la même clé n’est faite qu’une fois.',
  ),
});

function requestHeaders({ method, record }: Endpoint): object | undefined {
  if (method === 'POST') return keyHeader(method);
  if (method !== 'GET') return { ...keyHeader(method), ...(record && IF_MATCH) };
  return record === undefined || record.tagCoversBody === false ? undefined : IF_NONE_MATCH;
}

function statusesOf(endpoint: Endpoint, isPersonal: boolean): number[] {
  const { method, record, body, also = [], perMinute } = endpoint;
  const isRead = method === 'GET';
  const statuses = [
    statusOf(endpoint),
    400,
    404,
    ...(isPersonal ? [401] : []),
    ...(isRead ? [] : [403, 409]),
    ...(body ? [413, 415] : []),
    ...(isRead && record && record.tagCoversBody !== false ? [304] : []),
    ...(!isRead && method !== 'POST' && record ? [412] : []),
    ...(isRead ? [] : [422]),
    ...(perMinute === undefined ? [] : [429]),
  ];
  return [...new Set([...statuses, ...also])];
}

const ETAG = { ETag: text('La révision de la fiche, entre guillemets.') };
const REVISION = {
  'X-Revision': {
    type: 'integer',
    description: 'La révision qu’une copie doit avoir atteinte pour montrer cette écriture.',
  },
};
const MODIFICATION = {
  'X-Modification': {
    type: 'integer',
    description: 'La modification que cette écriture est, si elle a changé quelque chose.',
  },
  'X-Modification-Resume': text('Ce que la modification dit d’elle-même, encodé pour une URL.'),
};
const REPLAYED = {
  'Idempotency-Replayed': text('« true » quand la réponse est celle, gardée, de la même demande.'),
};

function answerSchema(endpoint: Endpoint, status: number): object {
  if (status === 304) return { type: 'null', headers: ETAG };
  if (status === 412) return { allOf: [refusalRef(status)], headers: ETAG };
  if (status >= 400) return { allOf: [refusalRef(status)] };
  return { headers: answerHeaders(endpoint), ...successSchema(endpoint) };
}

/** By status, each code with its details. */
function refusalSchemas(): Record<string, object> {
  const statuses = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => codesOf(status).length > 0);
  return Object.fromEntries(
    statuses.map((status) => [`Refus${status}`, { anyOf: codesOf(status).map(refusalSchema) }]),
  );
}

function refusalSchema(code: RefusalCode): object {
  const details: Readonly<Record<string, TObject>> = refusalDetails;
  const body = { ...ErrorBody.properties, code: { const: code } };
  const own = details[code];
  return {
    ...ErrorBody,
    title: code,
    properties: { ...body, ...own?.properties },
    required: [...ErrorBody.required, ...(own?.required ?? [])],
  };
}

const answerHeaders = ({ method, record, response }: Endpoint): object => ({
  ...(method === 'GET' ? {} : { ...REVISION, ...MODIFICATION, ...REPLAYED }),
  ...(record && response ? ETAG : {}),
});

const successSchema = ({ response, type }: Endpoint): object =>
  type === undefined
    ? (response ?? { type: 'null' })
    : { content: { [type]: { schema: response } } };

const DESCRIPTION = `
L’API d’une bibliothèque familiale. Les corps sont en JSON, les dates en UTC avec un « Z », une
valeur absente est \`null\`. Un \`PUT\` récrit tout : ce qui est laissé de côté est effacé, et les
champs inconnus ou tenus par le serveur sont ignorés.

**Identité.** Elle vient des en-têtes de l’authentification unique (\`SSO_USER\`, \`SSO_USER_EMAIL\`,
\`SSO_USER_FULLNAME\`, sauf réglage contraire), et seulement d’un proxy de confiance. Sans elle,
les opérations personnelles répondent 401 \`IDENTITE_INCONNUE\`. Une écriture qu’une page d’un autre
site pourrait envoyer est refusée : 403 \`ORIGINE_REFUSEE\`.

**Erreurs.** Toutes ont la forme \`{ statusCode, error, code, message }\`, \`code\` étant stable et
\`message\` une phrase dans la langue demandée ; une demande mal formée ajoute
\`champs: [{ champ, code, arguments, message }]\` : le code dit ce qui ne va pas, et les arguments ce que sa phrase demande.
Ce que chaque code ajoute est dit par les schémas \`Refus…\`, un par statut.

**Langues.** Ce qui est dit en phrases (\`message\`, \`resume\`, \`X-Modification-Resume\`) l’est dans la langue de
\`?langue=\` (\`fr\`, \`en\`), sinon dans la première d’\`Accept-Language\` qui est connue, sinon dans celle de la maison.
Codes, champs, adresses et énumérations sont les mêmes dans toutes.

**Lecture d’une demande.** Dans un corps rien n’est converti (\`"12"\` n’est pas un nombre), dans une
chaîne de requête \`12\` en est un. Un paramètre vide n’est pas donné, un paramètre inconnu est
ignoré, un paramètre répété ou illisible est refusé (400). Un identifiant qui n’est pas un entier
positif ne désigne rien : 404.

**Révisions.** Une écriture répond avec l’en-tête \`X-Revision\` : la révision qu’une copie doit avoir
atteinte pour la montrer.

**Écrire à plusieurs.** Une fiche seule est répondue avec son étiquette, \`ETag\`, la révision de sa
ligne dans le journal. Un \`PUT\` ou un \`DELETE\` avec un \`If-Match\` qui n’est pas l’étiquette présente
n’écrit rien : 412 \`MODIFIE_ENTRETEMPS\`, avec \`actuel\`, la fiche telle qu’elle est (\`null\` si elle a été
supprimée), et son étiquette. Sans l’en-tête, tout est récrit. Une étiquette faible vaut une forte. Un
\`GET\` avec \`If-None-Match\` répond 304 à qui a déjà la fiche, sauf pour un livre, dont le corps dit plus
que l’étiquette. Ni un statut ni l’ordre d’une liste de souhaits n’ont d’étiquette.

**Une fois seulement.** Un \`POST\` peut porter un \`Idempotency-Key\` de 1 à 200 caractères visibles. La
même demande de la même personne sous la même clé, octet pour octet, reçoit pendant un jour la même
réponse, avec \`Idempotency-Replayed: true\`, et n’écrit rien de plus. Une autre demande sous cette clé :
422 \`CLE_REUTILISEE\` ; tant que la première est en cours : 409 \`DEMANDE_EN_COURS\`. Les refus ne sont pas
gardés, sauf \`DOUBLON\`. Au-delà de 10 000 réponses, les plus anciennes s’en vont. Un \`PUT\` ou un
\`DELETE\` ignore cet en-tête ; \`X-Write-Key\` y fait la même chose, pour qui a perdu la réponse et veut
savoir quelle modification c’était.

**Compression.** Les réponses de plus d’un kilo-octet sont compressées selon \`Accept-Encoding\`
(\`br\`, \`zstd\`, \`gzip\`), le flux d’événements jamais.

**Listes de souhaits.** Le même ouvrage du même auteur n’y est qu’une fois : sous-titre, casse et
accents ne comptent pas, « sans auteur » est un auteur, et « sans numéro » un numéro. Les rangs vont
de 1 sans trou. Un nouvel ordre nomme exactement tous les éléments, chacun une fois ; sinon 409
\`LISTE_PERIMEE\`, et rien ne change. Une couverture n’est écrite que si elle est donnée ; l’adresse
de secours tirée de l’ISBN, renvoyée telle quelle, compte comme absente.

**Sélections.** Une sélection est une recherche gardée sous un nom : \`criteres\` a les mots de
\`GET /api/livres\`, sans \`limite\` ni \`decalage\`, et garde tel quel un mot que cette version ne connaît
pas. Elle est à une personne, ou à la maison avec \`partagee\` ; donnée à la maison, elle ne revient à
personne (409 \`SELECTION_DE_LA_MAISON\`). Un nouvel ordre nomme toutes les siennes, ou toutes celles de la
maison.

**Séries.** Les places et les sous-séries d’une série partagent un ordre. Un \`PUT\` met les places
dans l’ordre donné, garde celles qui reviennent avec leur \`id\` et retire les autres ; chaque
sous-série reste derrière la place qu’elle suivait, ou, si celle-ci part, derrière la précédente qui
reste. Une série qui change de parent va à la fin du nouveau ; les sous-séries d’une série supprimée
prennent sa place.

**Revues.** Une revue se trouve par l’un de ses deux ISSN, sinon par son titre ; un titre connu sous un autre
ISSN est une autre revue. Un numéro est le même quand seuls la casse, les accents ou la ponctuation
diffèrent. Les plus récents viennent d’abord, une année derrière ses mois, un mois derrière ses
jours, et ce qui n’a pas de date à la fin. Un thème garde sa première graphie, et s’en va avec le
dernier numéro qui le porte. Un article qui n’est fait que de points-virgules est refusé.
`.trim();
