import type { Context } from '#server/start/context';
import { giveCover } from '#server/subjects/couvertures/cover-store';
import type { KeepCover } from './revues.ts';

/** Stores pictures of issues in a household's database and folder. */
export const coverKeeper =
  ({ covers, database }: Context): KeepCover =>
  async (numeroId, picture) => {
    const kept = await covers.store.add(picture);
    const couverture = { ...kept, source: 'adresse' } as const;
    database.write((tx) => giveCover(tx, 'Numero', numeroId, couverture));
  };
