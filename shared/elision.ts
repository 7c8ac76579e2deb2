import { normaliser } from './text.ts';

/**
 * Contracts French prepositions with an inserted name or title: « à » with a title's article, « Manque au Chat », «
 * Manque aux Aventures de Tintin », but « Manque à La Comédie humaine » and « Manque à L’Arabe du futur »; « de »
 * before a vowel and an H, « D’Elena Ferrante », « Souhaits d’Hergé ».
 */
export const contracted = (sentence: string): string =>
  sentence
    .replace(/^(\S+) à (les?) +(?=\S)/iu, (_, verb: string, article: string) =>
      article.toLowerCase() === 'le' ? `${verb} au ` : `${verb} aux `,
    )
    .replace(/^((?:\S+ ){1,2}d|D)e (?=\S)/u, (de, d: string) =>
      /^(?:[aeiouy]|h)/u.test(normaliser(sentence.slice(de.length))) ? `${d}’` : de,
    );
