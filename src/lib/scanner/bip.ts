const HAUTEUR = 1480;
const DUREE = 0.09;
const VIBRATION = 60;

/** Says « read » to the ear and to the hand, whichever of them the device has. */
export class Bip {
  /** Made inside the reader's own tap, without which browsers keep it silent. */
  readonly #son = new AudioContext();

  sonner(): void {
    if ('vibrate' in navigator) navigator.vibrate(VIBRATION);
    if (this.#son.state !== 'running') {
      void this.#son.resume();
      return;
    }
    const debut = this.#son.currentTime;
    const volume = this.#son.createGain();
    volume.gain.setValueAtTime(0.12, debut);
    volume.gain.exponentialRampToValueAtTime(0.001, debut + DUREE);
    const ton = this.#son.createOscillator();
    ton.frequency.value = HAUTEUR;
    ton.connect(volume).connect(this.#son.destination);
    ton.start(debut);
    ton.stop(debut + DUREE);
  }

  fermer(): void {
    void this.#son.close();
  }
}
