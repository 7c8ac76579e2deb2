import { ask, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';

/** What the service asks of strangers itself; nothing where a sign-on in front says who reads. */
export async function examineAccounts(place: Place): Promise<Finding[]> {
  const { text } = await ask(place, 'api/connexion');
  if (!text.includes('"comptes":true')) return [];
  const { status } = await ask(place, 'api/moi');
  if (place.key === undefined)
    return [
      status === 401
        ? well('Le service a des comptes, et un inconnu n’y lit rien.')
        : wrong(
            `Le service a des comptes, et un inconnu y lit pourtant (${status}).`,
            'Le mandataire ajoute à chaque demande une clé ou un cookie : il ne le doit pas.',
          ),
      told('Pour examiner le flux d’événements, donnez une clé de « Mon compte » par --cle.'),
    ];
  return [
    status === 200
      ? well('Le service a des comptes, et connaît cette clé.')
      : wrong(
          'Le service ne connaît pas cette clé.',
          'Elle est terminée, ou le mandataire ôte « Authorization ».',
        ),
  ];
}
