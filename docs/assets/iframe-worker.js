// The search runs in a worker, and a browser starts none from a page that lies on a disk. There, a hidden frame takes its place:
// the worker's script runs in it, and what either side posts becomes the other's message. From a server nothing is changed.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.room = new Promise((ready) => {
        frame.addEventListener("load", () => {
          const room = frame.contentWindow;
          room.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = room.document.createElement("script");
          script.addEventListener("load", () => ready(room));
          script.src = address;
          room.document.head.append(script);
        }, { once: true });
      });
      document.body.append(frame);
    }

    postMessage(data) {
      this.room.then((room) => room.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
