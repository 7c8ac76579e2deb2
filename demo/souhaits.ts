import { Parse } from 'typebox/value';
import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { Souhait, type SouhaitSaisi } from '#shared/souhaits';
import { drawCover } from './couvertures/draw.ts';
import { RESIDENTS, type Resident } from './household.ts';
import type { Send, SendPicture } from './sender.ts';

const livres: Record<Resident, readonly SouhaitSaisi[]> = {
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

/** Adds everyone's wishes; the periodicals are Camille's. */
export async function fillSouhaits(send: Send, sendPicture: SendPicture): Promise<void> {
  for (const resident of RESIDENTS)
    for (const saisie of livres[resident]) {
      const { id, titre, auteur } = Parse(
        Souhait,
        await send(resident, 'POST', '/api/souhaits', saisie),
      );
      const picture = await drawCover({ titre, auteur: auteur ?? '' });
      await sendPicture(resident, `/api/souhaits/${id}/couverture`, picture);
    }
  for (const revue of revues) await send('camille', 'POST', '/api/souhaits-revues', revue);
}
