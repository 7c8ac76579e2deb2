import type { Household } from '../e2e/support/household.ts';
import type { Portal } from '../e2e/support/portal.ts';
import type { WebKit } from './browser.ts';

/** A person's actions; each journey starts from the state that the previous one has left. */
export type Journey = (webkit: WebKit, portal: Portal) => Promise<void>;

/** Creates the household of the first journey. */
export async function furnish(house: Household): Promise<void> {
  await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
}

const EQUAL = "return Object.keys(localStorage).some((key) => key.startsWith('rayonnage.equal.'))";
const KEEPS_FILES = `return navigator.serviceWorker.getRegistration().then((one) => one?.active?.state === 'activated')`;

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  'opens, and makes its first copy': async (webkit, portal) => {
    await webkit.driver.get(portal.url);
    await webkit.see({ text: 'Désert' });
    await webkit.until(EQUAL);
  },

  'searches as one types': async (webkit) => {
    const search = await webkit.see({ css: 'input[type="search"]' });
    await search.sendKeys('clezio');
    await webkit.until("return document.querySelectorAll('main .row-link').length === 1");
    await webkit.see({ text: 'Désert' });
  },

  'adds a book': async (webkit, portal) => {
    await webkit.driver.get(`${portal.url}/livres/ajouter?champ=titre`);
    await webkit.fill('Titre', 'Regain');
    await webkit.submit();
    await webkit.see({ text: 'Livre ajouté' });
  },

  'lends one, and undoes that': async (webkit, portal) => {
    await webkit.driver.get(`${portal.url}/livres/1`);
    await webkit.fill('Emprunteur', 'Luc');
    await webkit.press('Prêter');
    await webkit.see({ text: 'Prêté à Luc' });
    await webkit.press('Annuler');
    await webkit.until(
      "return !document.querySelector('main').textContent.includes('Prêté à Luc')",
    );
  },

  'shows in both of two windows what another device does': async (webkit, portal) => {
    const { driver } = webkit;
    await driver.get(portal.url);
    await webkit.see({ text: 'Regain' });
    const first = await driver.getWindowHandle();
    await driver.switchTo().newWindow('window');
    await driver.get(portal.url);
    await webkit.see({ text: 'Regain' });
    await fetch(`${portal.url}/api/livres`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ titre: 'Ulysse', format: 'Physique' }),
    });
    await webkit.see({ text: 'Ulysse' });
    await driver.close();
    await driver.switchTo().window(first);
    await webkit.see({ text: 'Ulysse' });
  },

  'reads without a network, after a reload': async (webkit, portal) => {
    const { driver } = webkit;
    await webkit.until(KEEPS_FILES);
    portal.state = 'gone';
    portal.cut();
    await driver.get(`${portal.url}/livres/1`);
    await webkit.see({ text: 'Hors ligne' });
    await webkit.see({ text: 'Désert' });
    await driver.navigate().refresh();
    await webkit.see({ text: 'Désert' });
  },

  'is current again when the network is back': async (webkit, portal) => {
    portal.state = 'open';
    await webkit.until("return !document.body.textContent.includes('Hors ligne')");
  },
};
