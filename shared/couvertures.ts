import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Count, Id, Instant, nullable } from './fields.ts';

/** The key of a stored picture: the SHA-256 of its content, in hexadecimal. */
const Cle = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 });

/**
 * The stored picture of a book, an issue or a wish (docs/rules.md § 43): `largeur` and `hauteur` in pixels, `couleur`
 * as a placeholder, `source` the record's address or a person; `perdue` if the file of a chosen picture is lost.
 */
export const Couverture = Type.Object({
  cle: Cle,
  couleur: Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 }),
  largeur: Type.Integer({ minimum: 1 }),
  hauteur: Type.Integer({ minimum: 1 }),
  source: Type.Enum(['adresse', 'personne', 'perdue'], { type: 'string' }),
});
export type Couverture = Static<typeof Couverture>;

/** Whether a picture is stored: without one, lists show a jacket and « sans couverture » finds the book. */
export const hasPicture = (record: { readonly couverture: Couverture | null }): boolean =>
  record.couverture !== null;

/** In bytes. */
export const MAX_COVER_BYTES = 10 * 1024 * 1024;

export const MAX_BATCH = 100;

/** The thumbnail of a row, that of a page, and the picture itself. */
const TAILLES = ['ligne', 'page', 'originale'] as const;
export type Taille = (typeof TAILLES)[number];

const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' });

/** A missing or repeated `url` gets the 404 of a forbidden address (docs/rules.md § 27). */
export const lireCouverture = endpoint({
  method: 'GET',
  path: '/api/couvertures',
  hasSideEffects: true,
  summary: 'L’image d’une couverture connue de la bibliothèque ; tout refus est le même 404.',
  query: Type.Object({ url: Type.Optional(Type.String()) }),
  response: Bytes,
  type: 'image/*',
});

/** A stored picture; 404 unless a book, an issue or a wish of the caller references it. */
export const lireImage = endpoint({
  method: 'GET',
  path: '/api/couvertures/:cle/:taille',
  summary: 'Une couverture gardée : ligne (88 × 132) et page (480 de large) en WebP, originale.',
  params: Type.Object({ cle: Cle, taille: Type.Enum([...TAILLES], { type: 'string' }) }),
  response: Bytes,
  type: 'image/*',
});

/**
 * Many thumbnails at once: for each key in the given order, four bytes of length (big-endian) and the WebP bytes. A
 * length of 0 stands for a picture that is missing, unreadable or not the caller's. Decoded by `readThumbnails`.
 */
export const lireLignes = endpoint({
  method: 'GET',
  path: '/api/couvertures/lignes',
  summary:
    'Les vignettes de ligne de cent couvertures au plus : pour chaque clé, dans l’ordre, quatre octets de longueur (gros-boutiste), puis le WebP ; 0 quand il n’y en a pas.',
  query: Type.Object({
    cles: Type.String({
      pattern: '^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,99}$',
      maxLength: 65 * MAX_BATCH - 1,
    }),
  }),
  response: Bytes,
  type: 'application/octet-stream',
});

/**
 * Why covers wait: the source refuses (`refus`: 403, 429 or a Retry-After), has failed (`erreur`: 5xx, unreadable
 * picture), does not respond (`injoignable`), or the disk is full (`disque`).
 */
const RAISONS = ['refus', 'erreur', 'injoignable', 'disque'] as const;

/**
 * The progress of the household's covers: `attente` are to be fetched; `plusTard` are retried automatically; `aucune`
 * have no picture anywhere, and are retried after thirty days.
 */
export const EtatCouvertures = Type.Object({
  gardees: Count,
  attente: Count,
  aucune: Count,
  plusTard: Type.Array(
    Type.Object({
      raison: Type.Enum([...RAISONS], { type: 'string' }),
      nombre: Count,
      /** The time of the first retry. */
      prochainEssai: Instant,
    }),
  ),
});
export type EtatCouvertures = Static<typeof EtatCouvertures>;

export const lireEtatCouvertures = endpoint({
  method: 'GET',
  path: '/api/couvertures/etat',
  summary: 'Combien de couvertures sont gardées, attendues ou absentes, et pourquoi.',
  response: EtatCouvertures,
});

/** At once, or at the time given by a source. */
export const reessayerCouvertures = endpoint({
  method: 'POST',
  path: '/api/couvertures/reessayer',
  summary: 'Redemande aux sources les couvertures qui manquent.',
  skipsHistory: true,
  response: EtatCouvertures,
});

const Ids = Type.Optional(Type.Array(Id, { maxItems: MAX_BATCH }));

/** Records on the screen, whose covers are fetched first. */
export const avancerCouvertures = endpoint({
  method: 'POST',
  path: '/api/couvertures/avancer',
  summary: 'Fait passer devant les couvertures de ce qui est à l’écran.',
  skipsHistory: true,
  body: Type.Object({ livres: Ids, numeros: Ids, souhaits: Ids }),
});

/** A picture offered by a source; the requesting person can read its thumbnail by the key. */
export const AutreCouverture = Type.Object({
  cle: Cle,
  couleur: Couverture.properties.couleur,
  largeur: Couverture.properties.largeur,
  hauteur: Couverture.properties.hauteur,
  origine: Type.Enum(['openlibrary', 'bnf'], { type: 'string' }),
});
export type AutreCouverture = Static<typeof AutreCouverture>;

export const MAX_AUTRES = 8;

export const CouvertureChoisie = Type.Object({ cle: Cle });

export const couvertureOrNull = nullable(Couverture);

/** The address of a stored picture, whose content never changes. */
export const imageUrl = ({ cle }: Pick<Couverture, 'cle'>, taille: Taille) =>
  `/api/couvertures/${cle}/${taille}` as const;

/** The thumbnails of a batch in the requested order; `null` for a missing one. */
export function readThumbnails(batch: Uint8Array): (Uint8Array | null)[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const thumbnails: (Uint8Array | null)[] = [];
  for (let at = 0; at < batch.length;) {
    const length = view.getUint32(at);
    at += 4;
    thumbnails.push(length === 0 ? null : batch.subarray(at, at + length));
    at += length;
  }
  return thumbnails;
}

/** The site of the covers by ISBN, unless a setting names another. */
export const COVERS_SITE = 'https://covers.openlibrary.org';

/** `default=false` makes a missing cover a 404 instead of a placeholder (docs/rules.md § 22). */
export const fallbackCoverUrl = (site: string, isbn13: string): string =>
  `${site.replace(/\/$/u, '')}/b/isbn/${isbn13}-L.jpg?default=false`;

/** The application always shows a cover by the relay. */
export const relayedUrl = (coverUrl: string) =>
  `/api/couvertures?url=${encodeURIComponent(coverUrl)}` as const;
