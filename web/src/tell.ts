/** A sound or a notification when it is the reader's turn. The browser stores the choice. */

const WAYS = [
  { name: "sound", label: "with a sound" },
  { name: "notification", label: "with a notification when this page is hidden" },
] as const;

const wants = (name: string): boolean => localStorage.getItem(`tell-${name}`) === "on";

function ring(): void {
  const audio = new AudioContext();
  for (const [begin, pitch] of [[0, 660], [0.14, 880]] as const) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, audio.currentTime + begin);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + begin + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + begin);
    tone.stop(audio.currentTime + begin + 0.3);
  }
  setTimeout(() => void audio.close(), 1_000);
}

/** Notifies that it is the reader's turn. */
export function tellTurn(title: string, body: string): void {
  if (wants("sound")) ring();
  if (wants("notification") && document.hidden && Notification.permission === "granted") {
    const told = new Notification(title, { body, tag: location.pathname });
    told.addEventListener("click", () => {
      window.focus();
      told.close();
    });
  }
}

/** Appends the choice between sound and notification to this element. */
export function offerToTell(place: Element): void {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Notify me when it is my turn";
  const told = document.createElement("p");
  told.tabIndex = -1;
  details.append(summary);
  for (const { name, label } of WAYS) {
    if (name === "notification" && !("Notification" in window)) continue;
    const [line, box] = [document.createElement("label"), document.createElement("input")];
    line.className = "check";
    Object.assign(box, { type: "checkbox", name: `tell-${name}`, checked: wants(name) });
    box.addEventListener("change", async () => {
      told.textContent = "";
      if (box.checked && name === "notification" && (await Notification.requestPermission()) !== "granted") {
        box.checked = false;
        told.textContent = "Your browser blocks notifications from this page. Allow them in its settings for this page.";
        // The page has only one live region, so this text gets the focus to be read aloud.
        told.focus();
      }
      if (box.checked && name === "sound") ring();
      localStorage.setItem(`tell-${name}`, box.checked ? "on" : "off");
    });
    line.append(box, ` ${label}`);
    details.append(line);
  }
  details.append(told);
  place.append(details);
}
