import { ask, outcomeOf, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';

/** Headers in which sign-ons say who is calling, besides those of the settings. */
const KNOWN = [
  ...['sso_user', 'sso_user_email', 'sso_user_fullname', 'ynh_user', 'remote-user', 'remote-email'],
  ...['x-remote-user', 'x-forwarded-user', 'x-forwarded-email'],
  ...['x-forwarded-preferred-username', 'x-auth-request-user', 'x-auth-request-email'],
  ...['x-auth-request-preferred-username', 'x-authentik-username', 'x-authentik-email'],
  ...['x-authentik-uid', 'tailscale-user-login', 'cf-access-authenticated-user-email'],
];

/** A proxy may take a name with « _ » for the one with « - »: each is sent apart, since one given twice is nobody. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('-', '_'),
];

const claimOf = (name: string): string => `rayonnage-doctor-${name}`;

/**
 * Whether a visitor is taken for whoever a header of theirs names, by asking the service who calls. An answer of a
 * sign-on in its place proves nothing: what would arrive of a visitor who has signed in is not known.
 */
export async function examineIdentity({ key: _, ...place }: Place): Promise<Finding> {
  const names = [...new Set([...(place.headers ?? []), ...KNOWN])];
  const passed = new Set<string>();
  for (const spell of SPELLINGS) {
    const headers = Object.fromEntries(names.map((name) => [spell(name), claimOf(name)]));
    const answer = await outcomeOf(() => ask(place, 'api/moi', { headers }));
    if (!('text' in answer) || !isOfService(answer.text))
      return told(
        'Non examiné : si un visiteur peut se faire passer pour un autre par un en-tête. Ce n’est pas le service qui répond.',
      );
    for (const name of names)
      if (answer.text.includes(`"${claimOf(name)}"`)) passed.add(spell(name));
  }
  const arrived = [...passed].map(written);
  if (arrived.length > 0)
    return wrong(
      arrived.length === 1
        ? `L’en-tête ${arrived.join('')} d’un visiteur arrive au service.`
        : `Les en-têtes ${arrived.join(', ')} d’un visiteur arrivent au service.`,
      'Quiconque envoie cela est pris pour la personne nommée : le mandataire doit l’ôter avant de mettre le sien, et TRUSTED_PROXIES ne nommer que lui.',
    );
  const examined = [...(place.headers ?? []).map(written), 'ceux des connexions uniques connues'];
  return well(
    `Aucun en-tête d’un visiteur ne le fait passer pour un autre : ${examined.join(', ')}. Un autre SSO_HEADER_USER s’examine là où il est réglé.`,
  );
}

const isOfService = (text: string): boolean =>
  /"utilisateur":|"code":"CONNEXION_REQUISE"/.test(text);

/** As settings write it: SSO_USER, Remote-User. */
const written = (name: string): string =>
  name.includes('_')
    ? name.toUpperCase()
    : name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
