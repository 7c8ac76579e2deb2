import { soundSetting } from '$lib/ui/device-settings.svelte';

const FREQUENCY_HZ = 1480;
const DURATION_S = 0.09;
const VIBRATION_MS = 60;

/** Confirms a code by a sound and a vibration, whichever the device has. */
export class Beep {
  /** Must be created in a handler of a tap: otherwise browsers keep it silent. */
  readonly #audio = new AudioContext();

  play(): void {
    if ('vibrate' in navigator) navigator.vibrate(VIBRATION_MS);
    if (soundSetting.value === 'non') return;
    if (this.#audio.state !== 'running') {
      void this.#audio.resume();
      return;
    }
    const start = this.#audio.currentTime;
    const gain = this.#audio.createGain();
    gain.gain.setValueAtTime(0.12, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + DURATION_S);
    const tone = this.#audio.createOscillator();
    tone.frequency.value = FREQUENCY_HZ;
    tone.connect(gain).connect(this.#audio.destination);
    tone.start(start);
    tone.stop(start + DURATION_S);
  }

  close(): void {
    void this.#audio.close();
  }
}
