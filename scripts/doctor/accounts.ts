import { takesPasskeys } from '#shared/site';
import { ask, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';

/** Nothing where a sign-on in front says who reads. */
export async function examineAccounts(place: Place): Promise<Finding[]> {
  const { text } = await ask(place, 'api/connexion');
  if (!text.includes('"comptes":true')) return [];
  const passkeys = await examinePasskeys(place);
  const { status } = await ask(place, 'api/moi');
  if (place.key === undefined)
    return [
      status === 401
        ? well('Le service a des comptes, et un inconnu n’y lit rien.')
        : wrong(
            `Le service a des comptes, et un inconnu y lit pourtant (${status}).`,
            'Le mandataire ajoute à chaque demande une clé ou un cookie : il ne le doit pas.',
          ),
      told(
        'Pour connaître la version et examiner le flux d’événements, donnez une clé de « Mon compte » par --cle.',
      ),
      passkeys,
    ];
  return [
    status === 200
      ? well('Le service a des comptes, et connaît cette clé.')
      : wrong(
          'Le service ne connaît pas cette clé.',
          'Elle est terminée, ou le mandataire ôte « Authorization ».',
        ),
    passkeys,
  ];
}

/** Whether passkeys work at this address, asked as a page of it would. */
async function examinePasskeys(place: Place): Promise<Finding> {
  const { origin, hostname, pathname } = place.base;
  if (!takesPasskeys(place.base))
    return told(
      'Les clés d’accès n’iront pas ici : elles demandent HTTPS, et un hôte qui a un nom plutôt qu’une adresse. Les mots de passe vont.',
    );
  const path = 'api/connexion/cle-acces/defi';
  const { status, text } = await ask(place, path, { method: 'POST', headers: { origin } });
  if (text.includes(`"rpId":"${hostname}"`)) {
    const wide =
      pathname === '/' ? '' : ' ; elles valent pour l’hôte entier, et non pour ce chemin';
    return well(`Les clés d’accès iront ici, pour ${hostname}${wide}.`);
  }
  return /ORIGINE_REFUSEE|CLES_ACCES_IMPOSSIBLES|HOTE_INCONNU/.test(text)
    ? wrong(
        'Les clés d’accès n’iront pas : le service ne sait pas sous quel hôte la page est ouverte.',
        'Le mandataire doit lui passer « Host » tel quel (« proxy_set_header Host $http_host » avec nginx), et « Origin » aussi.',
      )
    : wrong(
        `Les clés d’accès n’iront pas : la demande n’arrive pas (${status}).`,
        'Le mandataire ne laisse pas passer « POST », ou la connexion unique répond à sa place.',
      );
}
