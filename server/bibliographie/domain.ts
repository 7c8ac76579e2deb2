import type { Bibliographie } from '#shared/bibliographie';
import { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';
import { livreDeCle } from '#server/livres/store';
import { parAuteur } from '#server/upstream/bnf/questions';
import { SourceInjoignable } from '#server/upstream/silence';
import { estLAuteur } from './domain/auteur.ts';
import { oeuvres } from './domain/oeuvres.ts';

/**
 * An author's works from the national library, and which of them the household has. A source that
 * is silent on any page is refused as `SOURCE_INJOIGNABLE`: a list is whole, or there is none.
 */
export async function bibliographie(
  { base, sources }: Pick<Context, 'base' | 'sources'>,
  auteur: string,
  signal: AbortSignal,
): Promise<Bibliographie> {
  const notices = await parAuteur(sources.bnf, auteur, signal).catch((error: unknown) => {
    throw error instanceof SourceInjoignable ? new Refusal('SOURCE_INJOIGNABLE') : error;
  });
  // The source pairs the words of a name across all the people of a record.
  const estLui = estLAuteur(
    auteur,
    notices.flatMap((notice) => notice.auteurs),
  );
  const siennes = notices.filter((notice) => notice.auteurs.some(estLui));
  return { auteur, oeuvres: oeuvres(siennes, (cle) => livreDeCle(base, cle)) };
}
