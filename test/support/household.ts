import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './database.ts';
import { openHouse, type House } from './house.ts';

/**
 * Makes houses with the records that `furnish` adds to an empty one. It runs once, and its database is copied, so that
 * houses stay independent.
 */
export function furnished(
  furnish: (house: House) => Promise<void>,
): (settings?: Readonly<Record<string, string>>) => Promise<House> {
  let database: Buffer | undefined;
  return async (settings) => {
    const path = join(temporaryFolder(), 'bibliotheque.sqlite');
    if (database === undefined) {
      const house = await openHouse(path);
      await furnish(house);
      await house.close();
      database = readFileSync(path);
    } else writeFileSync(path, database);
    return openHouse(path, settings);
  };
}
