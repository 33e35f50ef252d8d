/** A Deployment without findings, for the fixed examples. */
export const VALID_DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers: [{ name: web, image: web:2 }]
`;
