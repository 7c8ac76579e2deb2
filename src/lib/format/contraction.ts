import { normaliser } from '#shared/text';

/**
 * A title behind the preposition « à », which is one word with its article: « à Astérix », « au Chat »,
 * « aux Aventures de Tintin », but « à La Comédie humaine » and « à L’Arabe du futur ».
 */
export function withA(titre: string): string {
  const [, article, rest] = /^(les?)\s+(.+)$/isu.exec(titre.trim()) ?? [];
  if (article === undefined || rest === undefined) return `à ${titre.trim()}`;
  return `${article.toLowerCase() === 'le' ? 'au' : 'aux'} ${rest}`;
}

/** A name behind « De », elided before a vowel and an H: « De Victor Hugo », « D’Elena Ferrante », « D’Hergé ». */
export const withDe = (nom: string): string =>
  /^(?:[aeiouy]|h)/u.test(normaliser(nom)) ? `D’${nom}` : `De ${nom}`;
