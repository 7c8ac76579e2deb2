import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { SouhaitSaisi } from '#shared/souhaits';
import { HABITANTS, type Habitant } from './maison.ts';
import type { Send } from './sender.ts';

const livres: Record<Habitant, readonly SouhaitSaisi[]> = {
  camille: [
    { titre: 'Triste tigre', auteur: 'Neige Sinno' },
    { titre: 'La Couleur des choses', auteur: 'Martin Panchaud' },
    { titre: 'Le Combat des chefs', auteur: 'René Goscinny' },
    { titre: 'Une chambre à soi', auteur: 'Virginia Woolf' },
    { titre: 'Les Mille et Une Nuits' },
  ],
  louis: [
    { titre: 'Hypérion', auteur: 'Dan Simmons' },
    { titre: 'Le Problème à trois corps', auteur: 'Liu Cixin' },
  ],
  ines: [{ titre: 'Harry Potter et le Prisonnier d’Azkaban', auteur: 'J. K. Rowling' }],
};

const revues: readonly RevueSouhaiteeSaisie[] = [
  { titre: 'La Hulotte', numero: '107', issn: '0337-2154' },
  { titre: 'Le Monde diplomatique', numero: '853', issn: '0026-9395' },
];

/** Puts on everyone's list what they want; the periodicals are Camille's. */
export async function fillSouhaits(send: Send): Promise<void> {
  for (const habitant of HABITANTS)
    for (const souhait of livres[habitant]) await send(habitant, 'POST', '/api/souhaits', souhait);
  for (const revue of revues) await send('camille', 'POST', '/api/souhaits-revues', revue);
}
