import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Builder, By, until, type WebDriver, type WebElement } from 'selenium-webdriver';

const DRIVER = '/usr/bin/WebKitWebDriver';
const BROWSERS = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';
const PATIENCE_MS = 60_000;

/** The system's WebKitGTK on a virtual screen, driven by WebDriver. */
export class WebKit {
  readonly driver: WebDriver;
  readonly #process: ChildProcess;

  private constructor(driver: WebDriver, process: ChildProcess) {
    this.driver = driver;
    this.#process = process;
  }

  /** @throws Error with one sentence that says what to install */
  static async start(): Promise<WebKit> {
    const [binary] = globSync(BROWSERS);
    if (!existsSync(DRIVER) || !existsSync('/usr/bin/xvfb-run') || binary === undefined)
      throw new Error('No WebKit was found: « apt-get install webkit2gtk-driver xvfb ».');
    const port = await freePort();
    const line = ['-a', '-s', '-screen 0 1280x800x24', DRIVER, `--port=${String(port)}`];
    // A process group, so that the virtual screen ends with the driver.
    const driving = spawn('xvfb-run', line, {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    });
    const driver = await connect(`http://127.0.0.1:${String(port)}`, binary);
    return new WebKit(driver, driving);
  }

  async stop(): Promise<void> {
    await this.driver.quit().catch(() => undefined);
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid);
  }

  /** Waits for a visible element, by CSS or by text. */
  async see(what: { readonly css: string } | { readonly text: string }): Promise<WebElement> {
    const by =
      'css' in what ? By.css(what.css) : By.xpath(`//*[text()[contains(.,"${what.text}")]]`);
    const isShown = async () => {
      for (const element of await this.driver.findElements(by))
        if (await element.isDisplayed().catch(() => false)) return element;
      return null;
    };
    const found = await this.driver.wait(isShown, PATIENCE_MS, `« ${JSON.stringify(what)} »`);
    if (found === null) throw new Error(`${JSON.stringify(what)} is not there`);
    return found;
  }

  /** Presses a button or link once it is enabled: the service may not have answered yet. */
  async press(name: string): Promise<void> {
    const path = `//*[self::button or self::a][not(@disabled)][normalize-space()="${name}" or @aria-label="${name}"]`;
    await this.driver.wait(
      async () => {
        for (const element of await this.driver.findElements(By.xpath(path)))
          if (await element.isDisplayed().catch(() => false))
            return element.click().then(
              () => true,
              () => false,
            );
        return false;
      },
      PATIENCE_MS,
      `no « ${name} » can be pressed`,
    );
  }

  /** Types into a labelled field; does not work in a second tab, which gets no keys. */
  async fill(label: string, text: string): Promise<void> {
    const path = `//*[@id=//label[starts-with(normalize-space(),"${label}")]/@for] | //label[starts-with(normalize-space(),"${label}")]//input`;
    const field = await this.driver.wait(until.elementLocated(By.xpath(path)), PATIENCE_MS);
    await this.driver.wait(until.elementIsVisible(field), PATIENCE_MS);
    await field.sendKeys(text);
  }

  /** Submits the screen's form. */
  async submit(): Promise<void> {
    await (await this.see({ css: 'main form button[type="submit"]' })).click();
  }

  /** Waits until a script in the page returns something truthy. */
  async until(script: string): Promise<void> {
    await this.driver.wait(() => this.driver.executeScript<boolean>(script), PATIENCE_MS, script);
  }
}

/** The driver accepts connections shortly after its start. */
async function connect(url: string, binary: string): Promise<WebDriver> {
  for (let attempt = 1; ; attempt++) {
    const answers = await fetch(`${url}/status`).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (attempt === 50) throw new Error('WebKitWebDriver does not answer.');
    await delay(200);
  }
  return new Builder()
    .usingServer(url)
    .disableEnvironmentOverrides()
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
