import type { Taille } from '#shared/couvertures';
import { Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Asker } from '#server/plumbing/upstream/queue';
import { isKnownCover, isReadable } from '../store/known.ts';
import { pictureOfAdresse } from '../store/pictures.ts';
import type { Covers } from './covers.ts';
import { isbnOf } from './sources.ts';

/** One caller's question for a cover. */
interface CoverRequest {
  readonly url: string | undefined;
  readonly utilisateur: string | null;
  /** Whose turn it is to fetch. */
  readonly asker: Asker;
}

/** A picture as it is answered with. */
interface Answered {
  readonly type: string;
  readonly content: Buffer;
}

/**
 * The image of a known cover, from the store where it is kept (docs/rules.md § 27). Whatever the
 * reason, there is one refusal, `INTROUVABLE`, which discloses neither another person's list nor the
 * house's network.
 */
export async function readCouverture(
  database: Reader,
  covers: Covers,
  { url, utilisateur, asker }: CoverRequest,
): Promise<Answered> {
  if (url === undefined || !isKnownCover(database, url, utilisateur))
    throw new Refusal('INTROUVABLE');
  try {
    return (await readKept(database, covers, url)) ?? (await relay(covers, url, asker));
  } catch {
    throw new Refusal('INTROUVABLE');
  }
}

async function readKept(
  database: Reader,
  { library, sources }: Covers,
  url: string,
): Promise<Answered | null> {
  const picture = pictureOfAdresse(database, sources.adressesOf(url));
  return picture === undefined ? null : library.read(picture.cle, 'originale');
}

/** The picture at its source, which is kept for the next one who asks. */
async function relay({ fetcher, sources }: Covers, url: string, asker: Asker) {
  if (isbnOf(url) !== null && !fetcher.takeCounted()) throw new Refusal('INTROUVABLE');
  const image = await sources.forScreen(url, asker);
  fetcher.keep(sources.adressesOf(url), image);
  return image;
}

/** Who asks for kept pictures. */
interface Viewer {
  readonly utilisateur: string | null;
  /** Whom pictures are offered to, in « Autres couvertures ». */
  readonly owner: string;
}

/** A kept picture that its caller may see. Throws `INTROUVABLE`, `IMAGE_PERDUE` (docs/rules.md § 43). */
export async function readImage(
  database: Reader,
  covers: Covers,
  { cle, taille, ...viewer }: Viewer & { readonly cle: string; readonly taille: Taille },
): Promise<Answered> {
  const { library } = covers;
  if (!maySee(database, covers, cle, viewer)) throw new Refusal('INTROUVABLE');
  const image = await library.read(cle, taille);
  if (image === null) throw new Refusal(library.isLost(cle) ? 'IMAGE_PERDUE' : 'INTROUVABLE');
  return image;
}

/** The thumbnails of rows, framed as `lireLignes` says, in the order asked. */
export async function readBatch(
  database: Reader,
  covers: Covers,
  { cles, ...viewer }: Viewer & { readonly cles: readonly string[] },
): Promise<Buffer> {
  const images = await Promise.all(
    cles.map(async (cle) =>
      maySee(database, covers, cle, viewer) ? covers.library.read(cle, 'ligne') : null,
    ),
  );
  return Buffer.concat(
    images.flatMap((image) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(image?.content.length ?? 0);
      return image === null ? [length] : [length, image.content];
    }),
  );
}

const maySee = (
  database: Reader,
  { others }: Covers,
  cle: string,
  { utilisateur, owner }: Viewer,
): boolean => isReadable(database, cle, utilisateur) || others.isOffered(owner, cle);
