import { Parse } from 'typebox/value';
import { Emplacement } from '#shared/emplacements';
import type { Livre } from '#shared/livres';
import { RESIDENTS } from './household.ts';
import type { Send } from './sender.ts';

const DAY_MS = 86_400_000;

interface DemoEmplacement {
  nom: string;
  note?: string;
  fermeDaysAgo?: number;
  /** How many of the next comics, or other books, are put here. */
  comics?: number;
  others?: number;
  dedans?: readonly DemoEmplacement[];
}

const emplacements: readonly DemoEmplacement[] = [
  {
    nom: 'Salon',
    dedans: [
      {
        nom: 'Grande bibliothèque',
        dedans: [
          { nom: 'Étagère 1', others: 18 },
          { nom: 'Étagère 2', others: 17 },
          { nom: 'Étagère 3', others: 16 },
          { nom: 'Étagère 4', note: 'Les grands formats, couchés', others: 9 },
        ],
      },
      { nom: 'Table basse', others: 3 },
    ],
  },
  {
    nom: 'Couloir',
    dedans: [
      { nom: 'Étagère du haut', others: 14 },
      { nom: 'Étagère du bas', others: 12 },
    ],
  },
  { nom: 'Bureau', note: 'Derrière la porte', others: 11 },
  { nom: 'Chambre d’Inès', dedans: [{ nom: 'Étagère à BD', comics: 30 }] },
  {
    nom: 'Cave',
    dedans: [
      { nom: 'Carton 11', note: 'Livres de poche, à trier', others: 6 },
      { nom: 'Carton 12', fermeDaysAgo: 20, others: 8 },
    ],
  },
];

/** Puts the demonstration's books away, room by room; a few have no location, nor have e-books. */
export async function fillEmplacements(send: Send, livres: readonly Livre[]): Promise<void> {
  const paper = livres.filter(({ format }) => format === 'Physique');
  const comics = paper.filter(({ typeDocument }) => typeDocument === 'BandeDessinee');
  const others = paper.filter((livre) => !comics.includes(livre));
  const [resident] = RESIDENTS;
  const add = async (one: DemoEmplacement, parentId: number | null): Promise<void> => {
    const { nom, note = null, fermeDaysAgo } = one;
    const fermeLe =
      fermeDaysAgo === undefined
        ? null
        : new Date(Date.now() - fermeDaysAgo * DAY_MS).toISOString();
    const saisi = { nom, parentId, note, fermeLe };
    const { id } = Parse(Emplacement, await send(resident, 'POST', '/api/emplacements', saisi));
    const standing = [...comics.splice(0, one.comics ?? 0), ...others.splice(0, one.others ?? 0)];
    const ids = standing.map((livre) => livre.id);
    if (ids.length > 0) {
      await send(resident, 'POST', '/api/livres/lot', {
        ids,
        action: 'emplacement',
        emplacementId: id,
      });
      await send(resident, 'PUT', `/api/emplacements/${String(id)}/livres`, { ids });
    }
    for (const inside of one.dedans ?? []) await add(inside, id);
  };
  for (const one of emplacements) await add(one, null);
}
