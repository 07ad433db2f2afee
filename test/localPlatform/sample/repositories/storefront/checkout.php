<?php

declare(strict_types=1);

require __DIR__ . '/src/Basket.php';
require __DIR__ . '/src/Orders.php';

session_start();
$basket = Basket::of($_SESSION['basket'] ?? []);
$email = filter_var($_POST['email'] ?? '', FILTER_VALIDATE_EMAIL);

if ($basket->count() === 0 || $email === false) {
    header('Location: basket.php', true, 303);
    exit;
}

$settings = require __DIR__ . '/config.sample.php';
$number = (new Orders($settings['database']))->place($email, $basket);
unset($_SESSION['basket']);
$title = 'Thank you';

require __DIR__ . '/templates/header.php';
?>
<p>Your order has the number <?= $number ?>. The kettle may go on in two days.</p>
<?php require __DIR__ . '/templates/footer.php';
