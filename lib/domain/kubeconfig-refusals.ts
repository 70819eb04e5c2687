const useToken =
  "Create a ServiceAccount for Lectern in the cluster and paste a kubeconfig with its token (`kubectl create token lectern --duration=8760h`).";
const inline = "Paste the content itself: run `kubectl config view --raw --flatten --minify` and copy its output.";

/** Fields of a kubeconfig that are refused, with the danger and the way out. */
export const refusals: Readonly<Record<string, string>> = {
  exec: `it would run a program on Lectern's server. ${useToken}`,
  "auth-provider": `it would run a program on Lectern's server. ${useToken}`,
  tokenFile: `it would read a file of Lectern's server. ${useToken}`,
  "certificate-authority": `it would read a file of Lectern's server. ${inline}`,
  "client-certificate": `it would read a file of Lectern's server. ${inline}`,
  "client-key": `it would read a file of Lectern's server. ${inline}`,
  "proxy-url": "it would lead Lectern's requests elsewhere. Give an address that Lectern's server reaches directly.",
  "tls-server-name": "it would accept a certificate made for another name. Use the name that the certificate carries as the server.",
  "insecure-skip-tls-verify": "anyone in between could read the credential. Put the cluster's CA into certificate-authority-data.",
  "disable-compression": "it is not used here. Remove the line.",
  username: `clusters no longer accept passwords. ${useToken}`,
  password: `clusters no longer accept passwords. ${useToken}`,
  as: `Lectern acts as itself and impersonates nobody. ${useToken}`,
};

/** Fields that carry no rights and are not read. */
export const ignoredFields: ReadonlySet<string> = new Set(["preferences", "extensions"]);
