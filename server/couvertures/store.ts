import type { Base } from '#server/database/base';

/** Whether a book has this cover, whoever added it. */
export const estCouvertureDeLivre = (base: Base, url: string): boolean =>
  base.prepare<[string]>('SELECT 1 FROM Livre WHERE coverUrl = ? LIMIT 1').get(url) !== undefined;
