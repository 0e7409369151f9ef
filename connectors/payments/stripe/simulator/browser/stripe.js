/**
 * The stand-in for Stripe.js: the functions that the product and @stripe/react-stripe-js use
 * (docs.stripe.com/js). `BASE` and `VERSION` come from the simulator.
 */
/* global BASE, askHolder, createCardForm */
(() => {
  /** A call with the publishable key. Errors come back as `{error}`, as everywhere in Stripe.js. */
  function caller(key) {
    return async (method, path, fields = {}) => {
      const form = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined));
      const query = method === "GET" ? `?${form}` : "";
      const init = { method, headers: { Authorization: `Bearer ${key}` } };
      if (method !== "GET") init.body = form;
      const answer = await fetch(`${BASE}${path}${query}`, init).catch(() => null);
      if (answer === null) {
        return {
          error: {
            type: "api_connection_error",
            message: "An error occurred with our connection to Stripe.",
          },
        };
      }
      const body = await answer.json();
      return body.error ? { error: body.error } : { thing: body };
    };
  }

  /** An element with its events (docs.stripe.com/js/element). */
  function createElement(type, form) {
    const listeners = new Map();
    const emit = (name, detail = {}) => {
      for (const listener of listeners.get(name) ?? []) listener({ elementType: type, ...detail });
    };
    const element = {
      mount(place) {
        const target = typeof place === "string" ? document.querySelector(place) : place;
        if (!target) throw new Error("Invalid value for mount(): there is no such element.");
        target.append(form.host);
        queueMicrotask(() => emit("ready"));
        return element;
      },
      unmount: () => form.host.remove(),
      destroy: () => form.host.remove(),
      update: () => element,
      collapse: () => element,
      focus: () => form.focus(),
      blur: () => document.activeElement?.blur?.(),
      clear: () => form.clear(),
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return element;
      },
      once: (name, listener) => element.on(name, listener),
      off(name, listener) {
        listeners.set(
          name,
          (listeners.get(name) ?? []).filter((each) => listener && each !== listener),
        );
        return element;
      },
    };
    form.onInput(() =>
      emit("change", {
        complete: form.isComplete(),
        empty: false,
        collapsed: false,
        value: { type: "card" },
      }),
    );
    return element;
  }

  function createElements(options = {}) {
    // changelog/endive, remove-elements-deferred-intent-payment-method-types
    if ("paymentMethodTypes" in options) {
      throw new Error(
        "IntegrationError: elements() does not take `paymentMethodTypes`; use `allowedPaymentMethodTypes`.",
      );
    }
    const known = new Map();
    const elements = {
      options: { ...options },
      form: null,
      create(type) {
        if (known.has(type))
          throw new Error(`IntegrationError: Can only create one Element of type ${type}.`);
        const form = createCardForm();
        elements.form ??= form;
        const element = createElement(type, form);
        const destroy = element.destroy;
        element.destroy = () => {
          known.delete(type);
          if (elements.form === form) elements.form = null;
          destroy();
        };
        known.set(type, element);
        return element;
      },
      getElement: (type) => known.get(typeof type === "string" ? type : type?.__elementType) ?? null,
      update: (changes = {}) => Object.assign(elements.options, changes),
      fetchUpdates: async () => ({}),
      async submit() {
        if (elements.form === null) {
          return { error: { type: "invalid_request_error", message: "The payment element is not mounted." } };
        }
        elements.isSubmitted = true;
        const error = elements.form.check();
        return error ? { error } : { selectedPaymentMethod: "card" };
      },
    };
    return elements;
  }

  function createStripe(key, options = {}) {
    if (typeof key !== "string" || !key.startsWith("pk_")) {
      throw new Error(
        "IntegrationError: Please call Stripe() with your publishable key. You used an empty string or another key.",
      );
    }
    const api = caller(key);
    const idOf = (secret) => String(secret).split("_secret_")[0];
    const pathOf = (secret) => (secret.startsWith("seti_") ? "setup_intents" : "payment_intents");
    const read = (secret) => api("GET", `/v1/${pathOf(secret)}/${idOf(secret)}`, { client_secret: secret });

    /** `{paymentIntent}`, `{setupIntent}` or `{error}`. */
    const told = ({ thing, error }) =>
      error ? { error } : { [thing.object === "setup_intent" ? "setupIntent" : "paymentIntent"]: thing };

    /** Asks the holder when the intent wants it; an intent that failed then is an error. */
    async function goOn(answer, secret) {
      if (answer.error || answer.thing.status !== "requires_action") return told(answer);
      await askHolder(api, secret);
      const after = await read(secret);
      const failed = after.thing?.last_payment_error ?? after.thing?.last_setup_error;
      return failed && after.thing.status === "requires_payment_method" ? { error: failed } : told(after);
    }

    /** The id of the card: given, or made from the form. */
    async function methodFrom({ elements, payment_method: method, params } = {}) {
      if (typeof method === "string") return { id: method };
      if (elements) {
        if (!elements.isSubmitted) {
          return {
            error: {
              type: "invalid_request_error",
              message: "IntegrationError: elements.submit() must be called before this.",
            },
          };
        }
        const made = await api("POST", "/v1/payment_methods", {
          ...elements.form.fields(),
          ...billingOf(params),
        });
        return made.error ? made : { id: made.thing.id, method: made.thing };
      }
      return { id: undefined };
    }

    function billingOf(params) {
      const { name, email, phone } = params?.billing_details ?? {};
      return {
        "billing_details[name]": name,
        "billing_details[email]": email,
        "billing_details[phone]": phone,
      };
    }

    async function confirm(secret, order) {
      const method = await methodFrom(order);
      if (method.error) return { error: method.error };
      const fields = { client_secret: secret, payment_method: method.id };
      return goOn(await api("POST", `/v1/${pathOf(secret)}/${idOf(secret)}/confirm`, fields), secret);
    }

    return {
      _registerWrapper: () => {},
      registerAppInfo: () => {},
      _options: options,
      elements: createElements,
      async createPaymentMethod({ elements, params } = {}) {
        const made = await methodFrom({ elements, params });
        return made.error ? { error: made.error } : { paymentMethod: made.method };
      },
      async createToken(_, data) {
        return {
          error: { type: "invalid_request_error", message: `Tokens are not simulated (${typeof data}).` },
        };
      },
      confirmCardPayment: (secret, data = {}) => confirm(secret, data),
      confirmCardSetup: (secret, data = {}) => confirm(secret, data),
      confirmPayment: ({ elements, clientSecret }) =>
        confirm(clientSecret ?? elements?.options.clientSecret, { elements }),
      confirmSetup: ({ elements, clientSecret }) =>
        confirm(clientSecret ?? elements?.options.clientSecret, { elements }),
      async handleNextAction({ clientSecret }) {
        return goOn(await read(clientSecret), clientSecret);
      },
      async handleCardAction(clientSecret) {
        return goOn(await read(clientSecret), clientSecret);
      },
      retrievePaymentIntent: async (secret) => told(await read(secret)),
      retrieveSetupIntent: async (secret) => told(await read(secret)),
    };
  }

  createStripe.version = "endive";
  window.Stripe = createStripe;
})();
