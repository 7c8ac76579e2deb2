import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './database.ts';
import { openHouse, type House } from './house.ts';

/** Returns a function that opens households as copies of one, which `furnish` fills once. */
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
