</main>
<footer>Saltmarsh Tea, Quay 4. Open Tuesday to Saturday.</footer>
</body>
</html>
