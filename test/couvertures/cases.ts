/** Public addresses, which the namespace puts on its loopback. */
export const PUBLIC_IPV4 = '5.6.7.8';
export const PUBLIC_IPV6 = '2a00:5678::8';

/** Addresses of every forbidden family that accept connections once they are on a loopback. */
export const FORBIDDEN_ADDRESSES = [
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '240.0.0.1',
  'fd00::1',
  '2001:db8::1',
  '2001:2::1',
  '2002:506:708::1',
  '3fff::1',
  '64:ff9b::506:708',
  '4000::1',
];

/**
 * The zone of the tests' name server: the responses to successive queries for a name, the last one repeated. A
 * response without addresses is « no such name »; a name without a list is never answered.
 */
export const ZONE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'images.test': [[PUBLIC_IPV4]],
  'six.test': [[PUBLIC_IPV6]],
  'deux.test': [['127.0.0.1', 'fd00::1', PUBLIC_IPV4]],
  'vide.test': [[]],
  'boucle.test': [['127.0.0.1']],
  'boucle6.test': [['::1']],
  'mappe.test': [['::ffff:127.0.0.1']],
  'mappe-publique.test': [[`::ffff:${PUBLIC_IPV4}`]],
  'zero.test': [['0.0.0.0']],
  ...Object.fromEntries(FORBIDDEN_ADDRESSES.map((address) => [hostNameOf(address), [[address]]])),
  'bascule.test': [[PUBLIC_IPV4], ['127.0.0.1']],
  'contraire.test': [['127.0.0.1'], [PUBLIC_IPV4]],
};

/** The name that resolves to a forbidden address. */
function hostNameOf(address: string): string {
  return `interdite-${address.replace(/[.:]+/gu, '-')}.test`;
}

const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Notations of the host's own addresses as literals. */
export const LITERALS = [
  'http://127.0.0.1/png',
  'http://127.0.0.1./png',
  'http://127.1/png',
  'http://2130706433/png',
  'http://017700000001/png',
  'http://0177.0.0.1/png',
  'http://0x7f000001/png',
  'http://0x7f.0.0.1/png',
  'http://１２７.0.0.1/png',
  'http://127%2e0%2e0%2e1/png',
  'http://0/png',
  'http://0.0.0.0/png',
  'http://[::1]/png',
  'http://[::]/png',
  'http://[0:0:0:0:0:0:0:1]/png',
  'http://[::ffff:127.0.0.1]/png',
  'http://[::ffff:7f00:1]/png',
  `http://[::ffff:${PUBLIC_IPV4}]/png`,
  'http://[::127.0.0.1]/png',
  ...FORBIDDEN_ADDRESSES.map((address) => `http://${hostOf(address)}/png`),
];

/** Names that resolve to the host's own addresses. */
export const HOST_NAMES = [
  'http://localhost/png',
  'http://localhost./png',
  'http://LOCALHOST/png',
  ...['boucle', 'boucle6', 'mappe', 'mappe-publique', 'zero', 'vide'].map(
    (nom) => `http://${nom}.test/png`,
  ),
  'http://boucle.test./png',
  ...FORBIDDEN_ADDRESSES.map((address) => `http://${hostNameOf(address)}/png`),
];

/** Addresses to which no connection may be opened. */
export const NOT_ALLOWED = [
  'http://images.test:8080/png',
  'http://images.test:22/png',
  'http://lea:secret@images.test/png',
  'http://lea@images.test/png',
  'ftp://images.test/png',
  'file:///etc/hostname',
  'data:image/png;base64,iVBORw0KGgo=',
  'http://',
  'images.test/png',
];

const redirectTo = (url: string, status = 302): string =>
  `http://images.test/vers/${String(status)}?${encodeURIComponent(url)}`;

/** Redirects from a public address to each of these, and one redirect too many. */
const REDIRECTS = [
  ...[...LITERALS, ...HOST_NAMES, ...NOT_ALLOWED].map((url) => redirectTo(url)),
  ...[301, 303, 307, 308].map((status) => redirectTo('http://127.0.0.1/png', status)),
  redirectTo(redirectTo(redirectTo('http://127.0.0.1/png'))),
  'http://images.test/vers/302',
  'http://images.test/sauts/11',
  'http://images.test/sauts/1000',
];

/** Public addresses without a usable picture, each for another reason. */
export const WITHOUT_IMAGE = [
  'svg',
  'svg-png',
  'png-html',
  'html-png',
  'sans-type',
  'vide',
  '204',
  '206',
  '404',
  '500',
  'comprime',
  'trop-grand',
  'annonce-trop-grand',
  'sans-fin',
  'goutte',
  'coupe',
  'tronque',
  'muet',
].map((path) => `http://images.test/${path}`);

/** The pictures that the relay returns, with their type. */
export const IMAGES: Readonly<Record<string, string>> = {
  'http://images.test/png': 'image/png',
  'http://images.test./png': 'image/png',
  'http://IMAGES.test/png': 'image/png',
  'http://images.test:80/png': 'image/png',
  'http://images.test:443/png': 'image/png',
  'http://images.test/png#morceau': 'image/png',
  'http://images.test/late': 'image/png',
  'http://images.test/jpeg': 'image/jpeg',
  'http://images.test/gif': 'image/gif',
  'http://images.test/webp': 'image/webp',
  'http://images.test/avif': 'image/avif',
  'http://images.test/dix-mio': 'image/png',
  'http://images.test/sauts/1': 'image/png',
  'http://images.test/sauts/10': 'image/png',
  'http://six.test/png': 'image/png',
  'http://deux.test/png': 'image/png',
  [`http://${PUBLIC_IPV4}/png`]: 'image/png',
  [`http://[${PUBLIC_IPV6}]/png`]: 'image/png',
  [redirectTo('http://six.test/png')]: 'image/png',
  [redirectTo(`http://${PUBLIC_IPV4}/png`)]: 'image/png',
};

/** Names whose second query gives another address; each is requested twice. */
export const SWITCHING = ['http://bascule.test/png', 'http://contraire.test/png'];

export const REFUSED_URLS = [...LITERALS, ...HOST_NAMES, ...NOT_ALLOWED, ...REDIRECTS];
