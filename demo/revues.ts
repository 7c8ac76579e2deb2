import { Parse } from 'typebox/value';
import { Revue } from '#shared/revues';
import { Numero, type NumeroSaisi } from '#shared/numeros';
import { formatNumero } from '#shared/numero-name';
import { drawCover } from './couvertures/draw.ts';
import type { Send } from './sender.ts';

/** Existing periodicals, with issues invented for the demonstration. */
const revues: readonly { titre: string; issn: string; numeros: readonly NumeroSaisi[] }[] = [
  {
    titre: 'Le Monde diplomatique',
    issn: '0026-9395',
    numeros: [
      {
        numero: '850',
        date: '2025-01',
        une: 'À qui appartient l’eau\u202f?',
        themes: ['Écologie', 'Géopolitique'],
        articles: ['Fleuves, frontières et barrages', 'Le prix d’un litre'],
      },
      {
        numero: '851',
        date: '2025-02',
        une: 'Le travail qu’on ne voit pas',
        resume: 'Un dossier sur les métiers du soin, de la nuit et du nettoyage.',
        themes: ['Travail', 'Société'],
        articles: ['Cinq heures, les bureaux', 'Aides, auxiliaires, soignantes'],
      },
      {
        numero: '852',
        date: '2025-03',
        une: 'L’école, encore',
        themes: ['Éducation', 'Société'],
        articles: ['Lire, écrire, choisir', 'Ce que font les notes'],
      },
    ],
  },
  {
    titre: 'La Hulotte',
    issn: '0337-2154',
    numeros: [
      {
        numero: '105',
        une: 'Une saison avec le lierre',
        themes: ['Nature'],
        articles: ['Qui mange les baies en février\u202f?'],
      },
      {
        numero: '106',
        une: 'La chouette du clocher',
        themes: ['Nature', 'Oiseaux'],
        articles: ['Pelotes, mode d’emploi', 'Une nuit, une famille'],
      },
    ],
  },
  {
    titre: 'Cahiers du cinéma',
    issn: '0008-011X',
    numeros: [
      {
        numero: 'HS 3',
        date: '2024',
        une: 'Le son au cinéma',
        themes: ['Cinéma', 'Musique'],
        articles: ['Écouter avant de voir', 'Silences, bruits, voix'],
      },
    ],
  },
];

/** Stores a picture as if fetched from an issue's cover address. */
export type KeepCover = (numeroId: number, picture: Buffer) => Promise<void>;

/** Adds the periodicals with their issues, whose cover addresses lead nowhere. */
export async function fillRevues(send: Send, keepCover: KeepCover): Promise<void> {
  for (const { titre, issn, numeros } of revues) {
    const { id } = Parse(Revue, await send('camille', 'POST', '/api/revues', { titre, issn }));
    for (const saisie of numeros) {
      const path = `/api/revues/${id}/numeros`;
      const coverUrl = `https://${issn}.example/${encodeURIComponent(saisie.numero)}.jpg`;
      const added = await send('camille', 'POST', path, { ...saisie, coverUrl });
      const numero = Parse(Numero, added);
      const words = { titre, auteur: `${formatNumero(numero.numero)} ${numero.une ?? ''}` };
      await keepCover(numero.id, await drawCover(words));
    }
  }
}
