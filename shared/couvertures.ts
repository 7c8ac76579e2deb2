import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Count, Id, Instant, nullable } from './fields.ts';

/** The name of a kept picture: the SHA-256 of its content, in hexadecimal. */
const Cle = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 });

/**
 * The kept picture of a book, an issue or a wish (docs/rules.md § 43): `largeur` and `hauteur` in pixels, `couleur` its
 * main colour, shown until the picture is loaded, `source` the record's address or a person; `perdue` where the file of
 * the picture that a person chose is lost.
 */
export const Couverture = Type.Object({
  cle: Cle,
  couleur: Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 }),
  largeur: Type.Integer({ minimum: 1 }),
  hauteur: Type.Integer({ minimum: 1 }),
  source: Type.Enum(['adresse', 'personne', 'perdue'], { type: 'string' }),
});
export type Couverture = Static<typeof Couverture>;

/** In bytes. */
export const MAX_COVER_BYTES = 10 * 1024 * 1024;

export const MAX_BATCH = 100;

/** The thumbnail of a row, that of a page, and the picture itself. */
const TAILLES = ['ligne', 'page', 'originale'] as const;
export type Taille = (typeof TAILLES)[number];

const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' });

/** A missing or doubled `url` is refused by the same 404 as any other (docs/rules.md § 27). */
export const lireCouverture = endpoint({
  method: 'GET',
  path: '/api/couvertures',
  hasSideEffects: true,
  summary: 'L’image d’une couverture connue de la bibliothèque ; tout refus est le même 404.',
  query: Type.Object({ url: Type.Optional(Type.String()) }),
  response: Bytes,
  type: 'image/*',
});

/** A kept picture; 404 unless a book, an issue or a wish of the caller has it. */
export const lireImage = endpoint({
  method: 'GET',
  path: '/api/couvertures/:cle/:taille',
  summary: 'Une couverture gardée : ligne (88 × 132) et page (480 de large) en WebP, originale.',
  params: Type.Object({ cle: Cle, taille: Type.Enum([...TAILLES], { type: 'string' }) }),
  response: Bytes,
  type: 'image/*',
});

/**
 * The thumbnails of rows, many at once: for each key in the order asked, four bytes of length (big-endian) and so many
 * bytes of WebP. A length of 0 stands for a picture that does not exist, cannot be read, or is not for the caller. Read
 * by `readThumbnails`.
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
 * Why covers wait: the source refuses for now (`refus`: 403, 429, or it says when to come back), has failed (`erreur`:
 * 5xx, no readable picture) or did not answer (`injoignable`); or the disk is full (`disque`).
 */
const RAISONS = ['refus', 'erreur', 'injoignable', 'disque'] as const;

/**
 * How far the household's covers are: `attente` are still to be fetched; `plusTard` are asked again by themselves;
 * `aucune` have no picture anywhere, and are asked again after thirty days.
 */
export const EtatCouvertures = Type.Object({
  gardees: Count,
  attente: Count,
  aucune: Count,
  plusTard: Type.Array(
    Type.Object({
      raison: Type.Enum([...RAISONS], { type: 'string' }),
      nombre: Count,
      /** When the first of them is asked again. */
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

/** At once, or at the time that a source has given. */
export const reessayerCouvertures = endpoint({
  method: 'POST',
  path: '/api/couvertures/reessayer',
  summary: 'Redemande aux sources les couvertures qui manquent.',
  skipsHistory: true,
  response: EtatCouvertures,
});

const Ids = Type.Optional(Type.Array(Id, { maxItems: MAX_BATCH }));

/** Records on the screen, whose covers are then fetched before all others. */
export const avancerCouvertures = endpoint({
  method: 'POST',
  path: '/api/couvertures/avancer',
  summary: 'Fait passer devant les couvertures de ce qui est à l’écran.',
  skipsHistory: true,
  body: Type.Object({ livres: Ids, numeros: Ids, souhaits: Ids }),
});

/** A picture that a source has for a book; whoever asked can read its thumbnail by its key. */
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

/** The address of a kept picture, whose content never changes. */
export const imageUrl = ({ cle }: Pick<Couverture, 'cle'>, taille: Taille) =>
  `/api/couvertures/${cle}/${taille}` as const;

/** The thumbnails of a batch in the order asked; `null` for a missing one. */
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
